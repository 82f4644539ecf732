vcl 4.1;

# Zoetrope behind Varnish 7 with xkey of varnish-modules. See README.md for how it is started: the names of stores and
# sockets below are given there.

import directors;
import std;
import xkey;

# The listener for edges (ZOETROPE_EDGE_PORT). It believes whoever reaches it: keep it off the network. For several machines,
# write one such block for each, and one line in vcl_init.
backend machine_1 {
    .host = "127.0.0.1";
    .port = "8081";
    .connect_timeout = 1s;
    # A machine that hangs still accepts connections. It gets no requests until it answers again.
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
    # The same request goes to the same machine, whose cache has the response.
    new machines = directors.shard();
    machines.add_backend(machine_1);
    machines.reconfigure();
}

# The service's own listener (ZOETROPE_PORT), for the dashboard alone: people sign in there, and nothing of it is kept.
backend dashboard {
    .host = "127.0.0.1";
    .port = "8080";
    .connect_timeout = 1s;
    # A wallet or a domain may have to be asked.
    .first_byte_timeout = 40s;
}

sub vcl_recv {
    if (local.socket == "purge") {
        call purge_by_key;
    }
    set req.backend_hint = machines.backend();
    if (req.restarts == 0) {
        # Only this cache may say who was admitted, and what for.
        unset req.http.Zoetrope-Client;
        unset req.http.Zoetrope-Client-Class;
        unset req.http.Zoetrope-Url;
        unset req.http.Zoetrope-Method;
        call choose_encoding;
        call join_identifiers;
    }
    if (req.url ~ "^/dashboard(/|\?|$)") {
        set req.backend_hint = dashboard;
        return (pass);
    }
    if (req.method != "GET" && req.method != "HEAD" && req.method != "OPTIONS") {
        # Refused there, whoever asks.
        return (pass);
    }
    if (req.url ~ "^/[mpv]/" && req.method != "OPTIONS") {
        set req.url = regsub(req.url, "\?.*$", "");
        return (hash);
    }
    # The service decodes paths, this file does not. No path of the service starts with an escaped character.
    if (req.url ~ "^/_admit" || req.url ~ "^/[^/?]*%") {
        return (synth(404));
    }
    if (req.url !~ "^/api/" || req.url ~ "^/api/v1/openapi\.json(\?|$)") {
        # The page, health, the description.
        return (pass);
    }
    if (!req.http.Zoetrope-Client) {
        # First comes who is calling; with the answer the request begins anew, in vcl_deliver.
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
        # Gone at once.
        return (synth(200, xkey.purge(req.http.Surrogate-Key)));
    }
    if (req.http.Surrogate-Key && req.method == "SOFTPURGE") {
        # Shown once more while it is asked for anew.
        return (synth(200, xkey.softpurge(req.http.Surrogate-Key)));
    }
    return (synth(404));
}

# The service must see exactly what is hashed here. Several headers of one name become one, which is nobody's. A header
# that Connection names would not be sent on: setting it anew undoes that.
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

# Answers come compressed or not; what a caller prefers beyond that makes no other answer.
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
        # Of Origin, Authorization and User-Agent the first that is there decides, an opaque Origin being none. What is
        # kept of it is a hash.
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
        # After a failure, another machine.
        set bereq.backend = machines.backend(alt = bereq.retries);
        unset bereq.http.Cookie;
        if (bereq.url ~ "^/[mpv]/") {
            # A preview is made within half a minute, or not at all.
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
        # What there is goes on for the rest of its grace.
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

# By max-age alone: what says nothing is not kept, whatever its status.
sub keep_as_told {
    set beresp.ttl = std.duration(regsub(beresp.http.Cache-Control, "^.*max-age=([0-9]+).*$", "\1s"), 0s);
    if (beresp.http.Cache-Control ~ "stale-while-revalidate=") {
        set beresp.grace = std.duration(
            regsub(beresp.http.Cache-Control, "^.*stale-while-revalidate=([0-9]+).*$", "\1s"), 0s);
        set beresp.keep = 10m;
    }
    if (beresp.ttl <= 0s) {
        # For a moment nobody waits for another's answer.
        set beresp.ttl = 1s;
        set beresp.uncacheable = true;
    }
}

sub vcl_deliver {
    if (req.url == "/_admit" && resp.status == 204) {
        set req.http.Zoetrope-Client = resp.http.Zoetrope-Client;
        set req.http.Zoetrope-Client-Class = resp.http.Zoetrope-Client-Class;
        set req.url = req.http.Zoetrope-Url;
        set req.method = req.http.Zoetrope-Method;
        # Answers are the same for all who are admitted: nothing that tells callers apart goes on.
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
        # A caller's minute begins now, not when this cache was told.
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
