package titlecard.samples;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Calls the methods of listeners that take an event. */
public class EventBus {
    /** Marks methods that take events. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface Subscribe {
        int priority() default 0;

        String name() default "";
    }

    private final List<Object> listeners = new ArrayList<>();

    public void register(Object listener) {
        listeners.add(listener);
    }

    @Deprecated(since = "1.2", forRemoval = true)
    public void unregister(Object listener) {
        listeners.removeIf(each -> each == listener);
    }

    public int post(Object event) throws IllegalAccessException {
        int calls = 0;
        for (Object listener : listeners) {
            for (Method method : listener.getClass().getDeclaredMethods()) {
                Subscribe subscribe = method.getAnnotation(Subscribe.class);
                if (subscribe == null || method.getParameterCount() != 1) {
                    continue;
                }
                if (!method.getParameterTypes()[0].isInstance(event)) {
                    continue;
                }
                try {
                    method.invoke(listener, event);
                    calls++;
                } catch (InvocationTargetException e) {
                    throw new RuntimeException("listener " + subscribe.name() + " failed", e.getCause());
                }
            }
        }
        return calls;
    }
}
