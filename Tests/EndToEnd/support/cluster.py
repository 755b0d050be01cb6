"""Replicas of the service behind the nginx of deploy/nginx."""

import signal

from nginx import Nginx
from service import Service, stop_threads

REPLICAS = 4


class Cluster:
    """Replicas on ports of their own, and nginx before them."""

    def __init__(self, folder, *options, environment=None, **nginx):
        self.options = ["--trusted-proxies", "127.0.0.1", "--workers", "2", "--drain-timeout", "5", *options]
        self.environment = environment
        self.replicas = [self.replica() for _ in range(REPLICAS)]
        try:
            self.nginx = Nginx(folder, [replica.port for replica in self.replicas], **nginx)
        except BaseException:
            self.stop_replicas()
            raise

    def replica(self, port=None):
        return Service(*self.options, port=port, environment=self.environment)

    def kill(self, index):
        """Kills a replica's supervisor, with which its worker ends."""
        self.replicas[index].process.send_signal(signal.SIGKILL)
        self.replicas[index].process.wait()

    def hang(self, index):
        """Stops all processes of a replica, which then takes connections and says nothing."""
        replica = self.replicas[index]
        stopped = [replica.process.pid, *replica.workers]
        for process in stopped:
            stop_threads(process)
        return stopped

    def start(self, index):
        self.replicas[index] = self.replica(self.replicas[index].port)

    def rendered(self):
        """How many renderings the replicas have made."""
        return sum(replica.metric("titlecard_render_seconds_count") for replica in self.replicas)

    def stop(self):
        self.nginx.stop()
        self.stop_replicas()

    def stop_replicas(self):
        for replica in self.replicas:
            replica.stop()
