package titlecard.samples;

import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** Writes JSON to a writer, without building a tree. */
public class JsonWriter implements Closeable {
    private static final String[] ESCAPES = new String[128];

    static {
        for (int i = 0; i < 0x20; i++) {
            ESCAPES[i] = String.format("\\u%04x", i);
        }
        ESCAPES['"'] = "\\\"";
        ESCAPES['\\'] = "\\\\";
        ESCAPES['\n'] = "\\n";
        ESCAPES['\t'] = "\\t";
    }

    private final Writer out;
    private boolean needsComma;

    public JsonWriter(Writer out) {
        this.out = out;
    }

    public JsonWriter object(Map<String, ?> members) throws IOException {
        separate();
        out.write('{');
        needsComma = false;
        for (Map.Entry<String, ?> member : members.entrySet()) {
            string(member.getKey());
            out.write(':');
            needsComma = false;
            value(member.getValue());
        }
        out.write('}');
        needsComma = true;
        return this;
    }

    private void value(Object value) throws IOException {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            separate();
            out.write(String.valueOf(value));
        } else {
            string(value.toString());
        }
    }

    private void string(String text) throws IOException {
        separate();
        out.write('"');
        for (char c : text.toCharArray()) {
            String escape = c < 128 ? ESCAPES[c] : null;
            if (escape != null) out.write(escape); else out.write(c);
        }
        out.write('"');
    }

    private void separate() throws IOException {
        if (needsComma) {
            out.write(',');
        }
        needsComma = true;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
