"""Connections of clients that do not behave, one by one and in crowds."""

import select
import socket

from load.processes import HOST


def connect(port, receive_buffer=None):
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(10)
    try:
        connection.connect((HOST, port))
    except OSError:
        connection.close()
        raise
    connection.setblocking(False)
    return connection


def send(connection, data):
    """Sends as much as the socket takes; false if the server has closed the connection."""
    try:
        connection.send(data)
        return True
    except BlockingIOError:
        return True
    except OSError:
        return False


def has_ended(connection):
    """Whether the server has closed, without taking anything that it sent."""
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    return bool(poll.poll(0))


def reset(connection):
    """Goes away without a word of farewell."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def crowd(port, stop, size, begin, go_on, receive_buffer=None, at_once=200):
    """So many connections all the time: those that end are opened anew, some of them at once."""
    connections = []
    while not stop.is_set():
        for _ in range(min(size - len(connections), at_once)):
            try:
                connections.append(connect(port, receive_buffer))
            except OSError:
                break
            begin(connections[-1])
        connections = [one for one in connections if keeps(one, go_on)]
        stop.wait(0.2)
    for connection in connections:
        connection.close()


def keeps(connection, go_on):
    if connection.fileno() >= 0 and not has_ended(connection) and go_on(connection):
        return True
    connection.close()
    return False


def vanish(connection):
    """As by a pulled plug: the server's side learns nothing. Without the right to: a reset."""
    try:
        connection.setsockopt(socket.IPPROTO_TCP, 19, 1)  # TCP_REPAIR
        connection.close()
    except OSError:
        reset(connection)


def exchange(port, data, patience=0.05):
    """Sends something, takes some of what comes, and goes."""
    try:
        with connect(port) as connection:
            connection.settimeout(patience)
            connection.sendall(data)
            connection.recv(65536)
    except OSError:
        pass
