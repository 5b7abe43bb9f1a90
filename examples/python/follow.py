"""Follows a resource: python3 follow.py http://localhost:8080 stations, with ROSTACK_TOKEN."""
import json, os, random, sys, time, urllib.error, urllib.parse, urllib.request
from websocket import WebSocketException, create_connection  # pip install websocket-client

origin, name = sys.argv[1:3]
of_origin = lambda url: url.replace("s:", ":", 1) if origin.startswith("http:") else url  # Documents name https.

def get(url, **query):
    request = urllib.request.Request(f"{url}?{urllib.parse.urlencode(query)}" if query else url)
    request.add_header("Authorization", f"Rostack-Token {os.environ['ROSTACK_TOKEN']}")
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)

discovery = get(origin + "/.well-known/rostack")
limits = discovery["capabilities"]["websocket"]
collection = of_origin(next(one["collection_url"] for one in discovery["resources"] if one["name"] == name))
# The server asks for a sign of life after silence: if it does not, it is gone.
silence = (limits["heartbeat_interval_ms"] + limits["heartbeat_timeout_ms"]) / 1000
cursor, failures, seen = None, 0, []
while True:
    try:
        if cursor is None:  # All records at one position of the log; following begins there.
            records, page = [], {"has_more": True, "next_cursor": None}
            while page["has_more"]:
                answer = get(collection, **({"cursor": page["next_cursor"]} if records else {}))
                records, page = records + answer["items"], answer["page"]
            print("snapshot", len(records), flush=True)
            cursor = page["event_cursor"]
        socket = create_connection(of_origin(discovery["endpoints"]["websocket"]), silence, subprotocols=["rostack.v1"])
        say = lambda **message: socket.send(json.dumps(message))
        say(type="authenticate", method="shared_token", token=os.environ["ROSTACK_TOKEN"])
        while True:
            match json.loads(socket.recv()):
                case {"type": "authenticated"}:
                    say(type="subscribe", subscription_id="1", resource=name, cursor=cursor)
                case {"type": "ping", "id": id}:
                    say(type="pong", id=id)
                    failures = 0  # Healthy for a whole interval.
                case {"type": "event", "event_id": id, "event_type": event, "resource_id": record} as message:
                    if id not in seen:
                        print(event, record, json.dumps(message.get("data")), flush=True)
                    seen, cursor = [*seen[-999:], id], message["cursor"]  # What was not processed comes again.
                case {"type": "error", "code": "cursor_unavailable"}:
                    cursor = None
                    raise ValueError("the server no longer has what was missed: a snapshot follows")
                case {"type": "error", "code": code, "message": why, "retryable": retryable}:
                    raise ValueError(code) if retryable else SystemExit(f"{code}: {why}")
                case {"type": "go_away"}:
                    raise ValueError("the server is about to end")
    except urllib.error.HTTPError as error:
        if error.code not in (429, 500, 503):
            raise SystemExit(error.read().decode())
    except (OSError, ValueError, WebSocketException) as error:
        print(f"again: {error}", file=sys.stderr)
    delay = min(limits["reconnect_max_delay_ms"], limits["reconnect_min_delay_ms"] * 2**failures)
    time.sleep(random.uniform(limits["reconnect_min_delay_ms"], delay) / 1000)
    failures = min(failures + 1, 16)
