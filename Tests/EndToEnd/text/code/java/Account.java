package titlecard.samples;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** An account with its transactions; safe for use by several threads. */
public class Account {
    /** What has happened to the money. */
    public enum Kind {
        DEPOSIT('+'), WITHDRAWAL('-');

        private final char sign;

        Kind(char sign) {
            this.sign = sign;
        }
    }

    private final String owner;
    private final List<String> history = new ArrayList<>();
    private BigDecimal balance = BigDecimal.ZERO;

    public Account(String owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
    }

    public synchronized void deposit(BigDecimal amount) {
        change(Kind.DEPOSIT, amount);
    }

    public synchronized void withdraw(BigDecimal amount) throws InsufficientFundsException {
        if (balance.compareTo(amount) < 0) {
            throw new InsufficientFundsException(owner, balance);
        }
        change(Kind.WITHDRAWAL, amount.negate());
    }

    private void change(Kind kind, BigDecimal amount) {
        if (amount.signum() == 0) {
            return;
        }
        balance = balance.add(amount);
        history.add(Instant.now() + " " + kind.sign + amount.abs());
    }

    public synchronized List<String> history() {
        return Collections.unmodifiableList(new ArrayList<>(history));
    }

    public static class InsufficientFundsException extends Exception {
        private static final long serialVersionUID = 1L;

        InsufficientFundsException(String owner, BigDecimal balance) {
            super(owner + " has no more than " + balance);
        }
    }
}
