package titlecard.samples;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What is in stock, from a database. */
public class Inventory {
    private static final Logger LOG = Logger.getLogger(Inventory.class.getName());
    private static final String FIND = "SELECT quantity FROM stock WHERE item = ?";
    private static final String TAKE = """
        UPDATE stock
        SET quantity = quantity - ?
        WHERE item = ? AND quantity >= ?
        """;

    private final String url;

    public Inventory(String url) {
        this.url = url;
    }

    public OptionalInt quantity(String item) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, item);
            ResultSet rows = statement.executeQuery();
            return rows.next() ? OptionalInt.of(rows.getInt("quantity")) : OptionalInt.empty();
        } catch (SQLException e) {
            LOG.log(Level.WARNING, "cannot read the stock of " + item, e);
            return OptionalInt.empty();
        }
    }

    public boolean take(String item, int count) throws SQLException {
        if (count < 1) throw new IllegalArgumentException("count: " + count);
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
                statement.setInt(1, count);
                statement.setString(2, item);
                statement.setInt(3, count);
                boolean isTaken = statement.executeUpdate() == 1;
                connection.commit();
                return isTaken;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }
}
