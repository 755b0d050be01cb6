package titlecard.samples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.time.LocalTime;
import javax.swing.JFrame;
import javax.swing.JPanel;
import javax.swing.SwingUtilities;
import javax.swing.Timer;

/** A clock with three hands. */
public class Clock extends JPanel {
    private static final int SIZE = 240;
    private static final Color FACE = new Color(0xF0, 0xF6, 0xFC);

    private final transient Timer timer = new Timer(1000, event -> repaint());

    public Clock() {
        setPreferredSize(new Dimension(SIZE, SIZE));
        timer.start();
    }

    @Override
    protected void paintComponent(Graphics graphics) {
        super.paintComponent(graphics);
        Graphics2D g = (Graphics2D) graphics;
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setColor(FACE);
        g.fillOval(0, 0, SIZE, SIZE);
        LocalTime now = LocalTime.now();
        hand(g, now.getSecond() / 60.0, 0.9, 1f, Color.RED);
        hand(g, now.getMinute() / 60.0, 0.8, 3f, Color.BLACK);
        hand(g, (now.getHour() % 12 + now.getMinute() / 60.0) / 12, 0.5, 5f, Color.BLACK);
    }

    private void hand(Graphics2D g, double share, double length, float width, Color color) {
        double angle = 2 * Math.PI * share - Math.PI / 2;
        int centre = SIZE / 2;
        g.setColor(color);
        g.setStroke(new BasicStroke(width));
        g.drawLine(centre, centre,
                (int) (centre + Math.cos(angle) * length * centre),
                (int) (centre + Math.sin(angle) * length * centre));
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = new JFrame("Clock");
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.add(new Clock());
            frame.pack();
            frame.setVisible(true);
        });
    }
}
