package titlecard.samples;

import java.util.ArrayList;
import java.util.List;

/** Splits arithmetic into numbers, names, and signs. */
final class Tokenizer {
    enum Type { NUMBER, NAME, SIGN, END }

    static final class Token {
        final Type type;
        final String text;

        Token(Type type, String text) {
            this.type = type;
            this.text = text;
        }

        @Override
        public String toString() {
            return type + ":" + text;
        }
    }

    private final String source;
    private int position = 0;

    Tokenizer(String source) {
        this.source = source;
    }

    List<Token> all() {
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = next();
            tokens.add(token);
        } while (token.type != Type.END);
        return tokens;
    }

    private Token next() {
        while (position < source.length() && Character.isWhitespace(source.charAt(position))) {
            position++;
        }
        if (position >= source.length()) {
            return new Token(Type.END, "");
        }
        int start = position;
        char first = source.charAt(position++);
        if (Character.isDigit(first) || first == '.') {
            while (position < source.length() && "0123456789.eE".indexOf(source.charAt(position)) >= 0) {
                position++;
            }
            return new Token(Type.NUMBER, source.substring(start, position));
        }
        if (Character.isJavaIdentifierStart(first)) {
            while (position < source.length() && Character.isJavaIdentifierPart(source.charAt(position))) {
                position++;
            }
            return new Token(Type.NAME, source.substring(start, position));
        }
        return new Token(Type.SIGN, String.valueOf(first));
    }
}
