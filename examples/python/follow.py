"""Follows a resource: python3 follow.py http://localhost:8080 stations, with ROSTACK_TOKEN."""
import base64, json, os, random, socket, ssl, sys, time, urllib.parse, urllib.request


class Frames:
    """A WebSocket by RFC 6455, as far as it is needed: whole messages of text."""

    def __init__(self, url, timeout):
        at = urllib.parse.urlsplit(url)
        is_secure = at.scheme == "wss"
        self.socket = socket.create_connection((at.hostname, at.port or (443 if is_secure else 80)), timeout)
        if is_secure:
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=at.hostname)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {at.path} HTTP/1.1\r\nHost: {at.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: rostack.v1\r\n\r\n".encode()
        )
        self.input = self.socket.makefile("rb")
        if b" 101 " not in self.input.readline():
            raise OSError("the upgrade was refused")
        while self.input.readline().strip():
            pass

    def send(self, **message):
        data, mask = json.dumps(message).encode(), os.urandom(4)
        size = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2)
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def receive(self):
        first, size = self.input.read(2) or (0x88, 0)
        if size > 125:
            size = int.from_bytes(self.input.read(2 if size == 126 else 8))
        data = self.input.read(size)
        if first & 15 != 1:
            raise OSError(f"closed with {int.from_bytes(data[:2])}")
        return json.loads(data)


class Client:
    def __init__(self, origin, resource, token):
        self.resource, self.token, self.cursor, self.seen = resource, token, None, []
        discovery = self.get(origin + "/.well-known/rostack")
        # Documents name https; a server on this computer may speak http.
        as_asked = lambda url: url.replace("s:", ":", 1) if origin.startswith("http:") else url
        found = next(one for one in discovery["resources"] if one["name"] == resource)
        self.collection = as_asked(found["collection_url"])
        self.gateway = as_asked(discovery["endpoints"]["websocket"])
        self.limits = discovery["capabilities"]["websocket"]

    def get(self, url):
        request = urllib.request.Request(url, headers={"Authorization": "Rostack-Token " + self.token})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def snapshot(self):
        """All records at one position of the log; following begins there."""
        records, page = [], {"has_more": True, "next_cursor": None}
        while page["has_more"]:
            query = urllib.parse.urlencode({"cursor": page["next_cursor"]}) if page["next_cursor"] else ""
            answer = self.get(f"{self.collection}?{query}".rstrip("?"))
            records, page = records + answer["items"], answer["page"]
        return records, page["event_cursor"]

    def session(self, on_snapshot, on_event):
        """One connection, until it ends with an OSError."""
        if self.cursor is None:
            records, cursor = self.snapshot()
            on_snapshot(records)
            self.cursor = cursor
        # The server asks for a sign of life after silence: if it does not, it is gone.
        silence = (self.limits["heartbeat_interval_ms"] + self.limits["heartbeat_timeout_ms"]) / 1000
        frames = Frames(self.gateway, silence)
        frames.send(type="authenticate", method="shared_token", token=self.token)
        while True:
            match frames.receive():
                case {"type": "authenticated"}:
                    frames.send(type="subscribe", subscription_id="1", resource=self.resource, cursor=self.cursor)
                case {"type": "ping", "id": id}:
                    frames.send(type="pong", id=id)
                    self.failures = 0  # Healthy for a whole interval.
                case {"type": "event"} as event:
                    if event["event_id"] not in self.seen:
                        on_event(event)
                    self.seen = [*self.seen[-999:], event["event_id"]]
                    self.cursor = event["cursor"]  # Only now: what was not processed comes again.
                case {"type": "error", "code": "cursor_unavailable"}:
                    self.cursor = None  # The next session begins with a snapshot.
                    raise OSError("the server no longer has what was missed")
                case {"type": "error", "code": code, "message": text, "retryable": retryable}:
                    if not retryable or code == "authentication_failed":
                        raise SystemExit(f"{code}: {text}")
                    raise OSError(code)
                case {"type": "go_away"}:
                    raise OSError("the gateway is about to end")

    def run(self, on_snapshot, on_event):
        self.failures = 0
        while True:
            try:
                self.session(on_snapshot, on_event)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 500, 503):
                    raise SystemExit(error.read().decode())
            except (OSError, ValueError) as error:
                print(f"again: {error}", file=sys.stderr)
            least, most = self.limits["reconnect_min_delay_ms"], self.limits["reconnect_max_delay_ms"]
            time.sleep(random.uniform(least, min(most, least * 2**self.failures)) / 1000)
            self.failures = min(self.failures + 1, 16)


if __name__ == "__main__":
    say = lambda *words: print(*words, flush=True)
    Client(*sys.argv[1:3], os.environ["ROSTACK_TOKEN"]).run(
        lambda records: say("snapshot", len(records)),
        lambda event: say(event["event_type"], event["resource_id"], json.dumps(event.get("data"))),
    )
