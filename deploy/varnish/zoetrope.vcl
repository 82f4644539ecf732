vcl 4.1;

# Zoetrope behind Varnish 7 with xkey from varnish-modules. README.md has the command that starts Varnish, with the names
# of the stores and sockets below.

import directors;
import std;
import xkey;

# The port for edges (ZOETROPE_EDGE_PORT). The service trusts every request on this port, so block the port on the network.
# For several machines, write a block like this one and a line in vcl_init for each machine.
backend machine_1 {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    # A machine that hangs still accepts connections. The probe stops its requests until it answers again.
    .probe = {
        .url = "/readyz";
        .interval = 1s;
        .timeout = 1s;
        .window = 2;
        .threshold = 1;
        .initial = 1;
    }
}

sub vcl_init {
    # Equal requests go to the same machine, because its cache has the response.
    new machines = directors.shard();
    machines.add_backend(machine_1);
    machines.reconfigure();
}

# The service's main port (ZOETROPE_PORT), only for the dashboard and uploads: people sign in there, and nothing is cached.
backend dashboard {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 1s;
    # The service may have to wait for a wallet or a domain.
    .first_byte_timeout = 40s;
}

sub vcl_recv {
    if (local.socket == "purge") {
        call purge_by_key;
    }
    set req.backend_hint = machines.backend();
    if (req.restarts == 0) {
        # Only this cache can say which client was admitted, and for which request.
        unset req.http.Zoetrope-Client;
        unset req.http.Zoetrope-Client-Class;
        unset req.http.Zoetrope-Client-Way;
        unset req.http.Zoetrope-Client-Limit;
        unset req.http.Zoetrope-Url;
        unset req.http.Zoetrope-Method;
        call choose_encoding;
        call join_identifiers;
    }
    if (
        req.url ~ "^/dashboard(/|\?|$)" || req.url ~ "^/(upload|mirror)$" || req.url ~ "^/list/" ||
        (req.method == "DELETE" && req.url ~ "^/[0-9a-f]{64}$")
    ) {
        set req.backend_hint = dashboard;
        return (pass);
    }
    if (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS") {
        # The service refuses such requests from every caller.
        return (pass);
    }
    if (req.url ~ "^/[mpv]/" && req.method != "OPTIONS") {
        set req.url = regsub(req.url, "\?.*$", "");
        return (hash);
    }
    # The service decodes paths, but this file does not. No path of the service starts with an escaped character.
    if (req.url ~ "^/_admit" || req.url ~ "^/[^/?]*%") {
        return (synth(404));
    }
    if (req.url !~ "^/api/" || req.url ~ "^/api/v1/openapi\.json(\?|$)") {
        # The search page, the state of the service, the description of the API.
        return (pass);
    }
    if (!req.http.Zoetrope-Client) {
        # First find out who is calling. vcl_deliver then restarts the request with the result.
        set req.http.Zoetrope-Url = req.url;
        set req.http.Zoetrope-Method = req.method;
        set req.url = "/_admit";
        if (req.method == "OPTIONS") {
            set req.method = "GET";
        }
        return (hash);
    }
    if (req.method == "OPTIONS") {
        return (pass);
    }
    set req.url = std.querysort(req.url);
    return (hash);
}

sub purge_by_key {
    if (req.http.Surrogate-Key && req.method == "PURGE") {
        # Removes the responses immediately.
        return (synth(200, xkey.purge(req.http.Surrogate-Key)));
    }
    if (req.http.Surrogate-Key && req.method == "SOFTPURGE") {
        # Serves each response once more while Varnish fetches it again.
        return (synth(200, xkey.softpurge(req.http.Surrogate-Key)));
    }
    return (synth(404));
}

# The service must get exactly the values that are hashed here. Several headers with one name become one header, which
# identifies no client. Varnish would not forward a header that Connection names, unless the header is set again here.
sub join_identifiers {
    if (req.http.Origin) {
        std.collect(req.http.Origin);
        set req.http.Origin = req.http.Origin;
    }
    if (req.http.Authorization) {
        std.collect(req.http.Authorization);
        set req.http.Authorization = req.http.Authorization;
    }
    if (req.http.User-Agent) {
        std.collect(req.http.User-Agent);
        set req.http.User-Agent = req.http.User-Agent;
    }
}

# Varnish caches at most three variants of a response: Brotli, gzip and uncompressed. Other preferences have no effect.
sub choose_encoding {
    if (req.http.Accept-Encoding ~ "(?i)(^|[\s,])br(?!\s*;\s*q=0(\.0*)?\s*(,|$))\s*(,|;|$)") {
        set req.http.Accept-Encoding = "br";
    } else if (req.http.Accept-Encoding ~ "(?i)(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))\s*(,|;|$)") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
}

sub vcl_hash {
    if (req.url == "/_admit") {
        # Only the first one of Origin, Authorization and User-Agent counts. An opaque Origin (null) counts as absent.
        # Varnish stores only a hash of the value.
        if (req.http.Origin && req.http.Origin != "null") {
            hash_data("O:" + req.http.Origin);
        } else if (req.http.Authorization) {
            hash_data("A:" + req.http.Authorization);
        } else {
            hash_data("U:" + req.http.User-Agent);
        }
    } else {
        hash_data(req.url);
    }
    return (lookup);
}

sub vcl_backend_fetch {
    unset bereq.http.Zoetrope-Url;
    unset bereq.http.Zoetrope-Method;
    if (bereq.backend != dashboard) {
        # After a failure, try another machine.
        set bereq.backend = machines.backend(alt = bereq.retries);
        unset bereq.http.Cookie;
        if (bereq.url ~ "^/[mpv]/") {
            # The service makes a preview within half a minute, or returns an error.
            set bereq.first_byte_timeout = 40s;
        } else {
            set bereq.first_byte_timeout = 3s;
        }
    }
    if (bereq.url ~ "^/(api/|_admit)") {
        unset bereq.http.X-Forwarded-For;
    }
}

sub vcl_backend_response {
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    if (bereq.is_bgfetch && (beresp.status == 429 || beresp.status >= 500)) {
        # Varnish continues to serve the cached response until its grace ends.
        return (abandon);
    }
    if (bereq.uncacheable) {
        return (deliver);
    }
    if (bereq.url == "/_admit") {
        set beresp.storage = storage.admissions;
        call keep_as_told;
    } else if (bereq.url ~ "^/api/") {
        set beresp.storage = storage.answers;
        set beresp.http.xkey = beresp.http.Surrogate-Key;
        # Cache-Control is for callers.
        set beresp.http.Zoetrope-Outward = beresp.http.Cache-Control;
        set beresp.http.Cache-Control = beresp.http.Surrogate-Control;
        call keep_as_told;
        set beresp.http.Cache-Control = beresp.http.Zoetrope-Outward;
        unset beresp.http.Zoetrope-Outward;
    } else {
        set beresp.storage = storage.media;
        set beresp.http.xkey = beresp.http.Surrogate-Key;
        call keep_as_told;
    }
    return (deliver);
}

# Only max-age decides. A response without max-age is not cached, whatever its status is.
sub keep_as_told {
    set beresp.ttl = std.duration(regsub(beresp.http.Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
    if (beresp.http.Cache-Control ~ "stale-while-revalidate=") {
        set beresp.grace = std.duration(
            regsub(beresp.http.Cache-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s"), 0s);
        set beresp.keep = 10m;
    }
    if (beresp.ttl <= 0s) {
        # For one second, requests for this URL do not wait for each other.
        set beresp.ttl = 1s;
        set beresp.uncacheable = true;
    }
}

sub vcl_deliver {
    if (req.url == "/_admit" && resp.status == 204) {
        set req.http.Zoetrope-Client = resp.http.Zoetrope-Client;
        set req.http.Zoetrope-Client-Class = resp.http.Zoetrope-Client-Class;
        set req.http.Zoetrope-Client-Way = resp.http.Zoetrope-Client-Way;
        set req.http.Zoetrope-Client-Limit = resp.http.Zoetrope-Client-Limit;
        set req.url = req.http.Zoetrope-Url;
        set req.method = req.http.Zoetrope-Method;
        # Responses are the same for all admitted callers, so headers that identify callers are removed.
        unset req.http.Origin;
        unset req.http.Authorization;
        unset req.http.User-Agent;
        unset req.http.Referer;
        return (restart);
    }
    if (req.url == "/_admit") {
        set resp.http.Cache-Control = "no-store";
    }
    if (req.http.Zoetrope-Client) {
        set resp.http.Access-Control-Allow-Origin = "*";
        set resp.http.Access-Control-Expose-Headers = "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
        set resp.http.Vary = "Accept-Encoding, Origin, Authorization, User-Agent";
        # The caller can cache the response for a minute from now, not from the time when Varnish fetched it.
        set resp.http.Date = now;
        unset resp.http.Age;
    }
    unset resp.http.Surrogate-Control;
    unset resp.http.CDN-Cache-Control;
    unset resp.http.Surrogate-Key;
    unset resp.http.X-Accel-Expires;
    unset resp.http.xkey;
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    return (deliver);
}

sub vcl_backend_error {
    if (bereq.backend != dashboard && bereq.method == "GET" && bereq.retries < 2) {
        return (retry);
    }
    set beresp.status = 503;
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    set beresp.grace = 0s;
    set beresp.http.Content-Type = "application/json; charset=utf-8";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "10";
    if (bereq.url == "/_admit") {
        set beresp.body = """{"error":{"code":"registry_unavailable","message":"The client registry cannot be asked right now; try again soon"}}""";
    } else {
        set beresp.body = """{"error":{"code":"upstream_unavailable","message":"The service does not answer; try again soon"}}""";
    }
    return (deliver);
}

sub vcl_synth {
    set resp.http.Content-Type = "application/json; charset=utf-8";
    if (resp.status == 200) {
        set resp.body = """{"purged":""" + resp.reason + "}";
    } else if (resp.status == 404) {
        set resp.body = """{"error":{"code":"not_found","message":"There is nothing here; the API is at /api/v1"}}""";
    } else {
        set resp.http.Cache-Control = "no-store";
        set resp.body = """{"error":{"code":"upstream_unavailable","message":"The service does not answer; try again soon"}}""";
    }
    return (deliver);
}
