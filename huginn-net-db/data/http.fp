; Programs by the heads of their requests and responses in HTTP/1, which come with huginn-net, in the format of
; docs/signatures.md.
;
; Every signature is a fact, written down for this project; no other project's file is copied. `evidence` tells where
; a fact comes from:
;   M  recorded by this project from the program that is named; the captures are in pcaps/real
;   A  published elsewhere, not verified: of IIS, Cloudflare, Kestrel and a probe of Apple, which could not be recorded, and
;      other names of nginx
;
; An order of fields belongs to a library more than to a program, and to most of its versions: what was recorded
; stands in the evidence, not in the label. Signatures of less than four fields fit others, too. They are generic.
; Where an order does not tell programs apart they ask for a word in the field of the own name.
; What a program calls itself is left open in all others: that an order is sent by nobody else has not been measured,
; so nobody is called a liar because of one; but whoever has the fields of Chromium and the name of Firefox, or the
; other way round, is.

classes = win,unix,other

[x-http:request]

; curl and what is built on libcurl.
label = g:!:curl:or another program with libcurl
sys   = @unix,@win,@other
evidence = M: curl 7.88.1: GET, HEAD, POST, HTTP/1.0; libcurl 7.88.1 in R 4.2.2; http_clients and http_releases
sig   = *:Host,User-Agent,Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:curl:or another program with libcurl, that upgrades to HTTP/2
sys   = @unix,@win,@other
evidence = M: curl 7.88.1 --http2, with and without --compressed; http_libraries
sig   = 1:Host,User-Agent,Accept=[*/*],Connection=[Upgrade, HTTP2-Settings],Upgrade=[h2c],HTTP2-Settings:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Encoding=[deflate, gzip],Connection=[Upgrade, HTTP2-Settings],Upgrade=[h2c],HTTP2-Settings:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:curl:or another program with libcurl, that asks a proxy
sys   = @unix,@win,@other
evidence = M: curl 7.88.1 -x: GET, HEAD, HTTP/1.0; http_proxies
sig   = *:Host,User-Agent,Accept=[*/*],Proxy-Connection=[Keep-Alive]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:curl:or another program with libcurl, that asks a proxy for a tunnel
sys   = @unix,@win,@other
evidence = M: curl 7.88.1 -x -p; http_proxies
sig   = 1:Host,User-Agent,Proxy-Connection=[Keep-Alive]:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:curl or another program:that names none
sys   = @unix,@win,@other
evidence = M: PHP 8.2 with libcurl 7.88.1, GET and POST; http_libraries
sig   = 1:Host,Accept=[*/*]:User-Agent,Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:curl:or another program with libcurl, with a field Connection of its caller
sys   = @unix,@win,@other
evidence = M: curl 7.88.1 -H 'Connection: close'; freshclam 1.4.6; http_servers and http_releases
sig   = 1:Host,User-Agent,Accept=[*/*],Connection:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:curl:or another program with libcurl, with compression
sys   = @unix,@win,@other
evidence = M: curl 7.88.1 --compressed; R 4.2.2; http_clients and http_releases
sig   = *:Host,User-Agent,Accept=[*/*],Accept-Encoding=[deflate, gzip]:Connection,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:git:
sys   = @unix,@win
evidence = M: git 2.39.5; http_clients
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Encoding=[deflate, gzip],Accept-Language,Pragma=[no-cache],?Git-Protocol:Connection,Accept-Charset,Keep-Alive:

label = s:!:Wget:
sys   = @unix,@win
evidence = M: wget 1.21.3, with and without --no-http-keep-alive; http_clients
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Encoding=[identity],Connection=[Keep-Alive]:Accept-Language,Accept-Charset,Keep-Alive:
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Encoding=[identity],Connection=[Close]:Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: wget 1.21.3 --compression=auto; http_answers
sig   = 1:Host,User-Agent=[Wget/],Accept=[*/*],Accept-Encoding=[gzip],Connection=[Keep-Alive]:Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:BusyBox wget:
sys   = @unix
evidence = M: BusyBox 1.35.0; http_releases
sig   = 1:Host,User-Agent=[Wget],Connection=[close]:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Lynx:
sys   = @unix,@win
evidence = M: Lynx 2.9.0dev.12; http_clients
sig   = 0:Host,Accept=[text/html, text/plain, text/sgml],Accept-Language,User-Agent:Connection,Accept-Encoding,Accept-Charset,Keep-Alive:

label = s:!:w3m:
sys   = @unix,@win
evidence = M: w3m 0.5.3; http_clients
sig   = 0:User-Agent,Accept=[text/html, text/*;q=0.5],Accept-Encoding=[gzip, compress],Accept-Language,Host:Connection,Accept-Charset,Keep-Alive:

label = s:!:Links:
sys   = @unix,@win
evidence = M: Links 2.28; http_clients
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Language,Accept-Encoding,Accept-Charset=[us-ascii,],Connection=[keep-alive]:Keep-Alive:

label = s:!:aria2:
sys   = @unix,@win
evidence = M: aria2 1.36.0; http_clients
sig   = 1:User-Agent,Accept=[application/metalink4+xml],Host,Want-Digest:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

; Tools of the command line and libraries of Perl and Ruby. Where the fields are those of curl or of aiohttp, and nothing but
; the own name tells a program from what is built on them, that name is asked for.
label = g:!:ApacheBench:
sys   = @unix,@win
evidence = M: ab of Apache 2.4.71: GET and HEAD, with and without -k; http_tools
sig   = 0:Host,User-Agent=[ApacheBench/],Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:
sig   = 0:Connection=[Keep-Alive],Host,User-Agent=[ApacheBench/],Accept=[*/*]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:lftp:
sys   = @unix,@win
evidence = M: lftp 4.9.2, GET and HEAD; http_tools
sig   = 1:Host,User-Agent=[lftp/],Accept=[*/*],Connection=[keep-alive]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:kube-probe:
sys   = @unix,@win
evidence = M: pkg/probe/http of Kubernetes 1.34.2, with which kubelet probes; http_probes
sig   = 1:Host,User-Agent=[kube-probe/],Accept=[*/*],Connection=[close]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Siege:
sys   = @unix,@win
evidence = M: Siege 4.0.7; http_tools
sig   = 1:Host,Accept=[*/*],Accept-Encoding=[gzip, deflate],User-Agent=[Siege/],Connection=[close]:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Axel:
sys   = @unix,@win
evidence = M: Axel 2.17.11; http_tools
sig   = 0:Host,Accept=[*/*],Accept-Encoding=[identity],?Range,User-Agent:Connection,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:ELinks:
sys   = @unix,@win
evidence = M: ELinks 0.13.2; http_tools
sig   = 1:Host,User-Agent=[ELinks/],Accept=[*/*],Accept-Language,Connection=[Keep-Alive]:Accept-Encoding,Accept-Charset,Keep-Alive:

label = s:!:Wget2:
sys   = @unix,@win
evidence = M: Wget2 1.99.1, with and without --no-compression; http_tools
sig   = 1:Host,Accept-Encoding=[bzip2, xz, lzma],Accept=[text/html,application/xhtml+xml],User-Agent,Connection=[keep-alive]:Accept-Language,Accept-Charset,Keep-Alive:
sig   = 1:Host,Accept=[text/html,application/xhtml+xml],User-Agent=[wget2/],Connection=[keep-alive]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:nghttp:that upgrades HTTP/1.1
sys   = @unix,@win
evidence = M: nghttp 1.52.0 -u; http_tools
sig   = 1:host,connection=[Upgrade, HTTP2-Settings],upgrade=[h2c],http2-settings,accept=[*/*],user-agent=[nghttp2/]::

label = g:!:h2load:
sys   = @unix,@win
evidence = M: h2load 1.52.0 --h1; http_answers
sig   = 1:Host,user-agent=[h2load]:User-Agent,Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:libwww-perl:
sys   = @unix,@win
evidence = M: libwww-perl 6.68, GET and HEAD; http_tools
sig   = 1:TE=[deflate,gzip;q=0.3],Connection=[TE, close],Host,User-Agent:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Ruby net/http:
sys   = @unix,@win
evidence = M: Ruby 3.1, GET, HEAD, POST and open-uri; http_tools
sig   = 1:Accept-Encoding=[gzip;q=1.0,deflate;q=0.6,identity;q=0.3],Accept=[*/*],User-Agent,Host:Connection,Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: HTTParty 0.21.0 on Ruby 3.1; http_callers
sig   = 1:Accept-Encoding=[gzip;q=1.0,deflate;q=0.6,identity;q=0.3],Accept=[*/*],User-Agent,Connection=[close],Host:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Ruby net/http:with fields of its caller, for one Faraday
sys   = @unix,@win
evidence = M: Faraday 1.1.0 on Ruby 3.1, GET and POST; http_callers
sig   = 1:User-Agent,?Content-Type,Accept-Encoding=[gzip;q=1.0,deflate;q=0.6,identity;q=0.3],Accept=[*/*],Host:Connection,Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: rest-client 2.1.0 on Ruby 3.1; http_callers
sig   = 1:Accept=[*/*],User-Agent,Accept-Encoding=[gzip;q=1.0,deflate;q=0.6,identity;q=0.3],Host:Connection,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:http.rb:
sys   = @unix,@win
evidence = M: http.rb 4.4.1 on Ruby 3.1; http_callers
sig   = 1:Connection=[close],Host,User-Agent=[http.rb/]:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

; Libraries of Python.
label = s:!:HTTPie:
sys   = @unix,@win
evidence = M: HTTPie 3.2.1; http_clients
sig   = 1:Host,Accept-Encoding=[gzip, deflate],Accept=[*/*],Connection=[keep-alive],User-Agent:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Python urllib:
sys   = @unix,@win
evidence = M: Python 3.11; http_clients
sig   = 1:Accept-Encoding=[identity],Host,User-Agent,Connection=[close]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Python http.client:
sys   = @unix,@win
evidence = M: Python 3.11; http_clients
sig   = 1:Host,Accept-Encoding=[identity]:User-Agent,Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:urllib3:
sys   = @unix,@win
evidence = M: urllib3 2.8.0; http_clients
sig   = 1:Host,Accept-Encoding=[identity],User-Agent:Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:httplib2:
sys   = @unix,@win
evidence = M: httplib2 0.32.1, GET and POST; http_answers
sig   = 1:Host,?Content-Length,user-agent=[Python-httplib2/],accept-encoding=[gzip, deflate]:User-Agent,Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Python requests:
sys   = @unix,@win
evidence = M: requests 2.34.2, GET and POST; http_clients
sig   = 1:Host,User-Agent,Accept-Encoding=[gzip, deflate],Accept=[*/*],Connection=[keep-alive]:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:httpx:
sys   = @unix,@win
evidence = M: httpx 0.28.1; http_clients
sig   = 1:Host,Accept=[*/*],Accept-Encoding=[gzip, deflate],Connection=[keep-alive],User-Agent:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:aiohttp:
sys   = @unix,@win
evidence = M: aiohttp 3.14.5; http_clients
sig   = 1:Host,Accept=[*/*],Accept-Encoding=[gzip, deflate],User-Agent:Connection,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Tornado client:
sys   = @unix,@win
evidence = M: Tornado 6.6.1; http_clients
sig   = 1:Connection=[close],Host,User-Agent,Accept-Encoding=[gzip]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

; Libraries of other languages.
label = g:!:Go net/http:
sys   = @unix,@win
evidence = M: Go 1.26; http_clients
sig   = 1:Host,User-Agent,Accept-Encoding=[gzip]:Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: Go 1.26 with DisableCompression; http_clients
sig   = 1:Host,User-Agent=[Go-http-client/]:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: Go 1.26 with DisableKeepAlives; http_answers
sig   = 1:Host,User-Agent=[Go-http-client/],Accept-Encoding=[gzip],Connection=[close]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:fasthttp:
sys   = @unix,@win
evidence = M: fasthttp 1.58.0, GET and POST; http_callers
sig   = 1:User-Agent=[fasthttp],Host:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:HTTP-Tiny:of Perl
sys   = @unix,@win
evidence = M: HTTP::Tiny 0.080; http_clients
sig   = 1:Host,User-Agent=[HTTP-Tiny/]:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Java HttpClient:
sys   = @unix,@win
evidence = M: Java 17.0.15, the first request of a connection; http_clients
sig   = 1:Connection=[Upgrade, HTTP2-Settings],Content-Length=[0],Host,HTTP2-Settings,Upgrade=[h2c],User-Agent:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:
evidence = M: Java 17.0.21, 21.0.8 and 25.0.2; http_releases
sig   = 1:Connection=[Upgrade, HTTP2-Settings],Host,HTTP2-Settings,Upgrade=[h2c],User-Agent:Content-Length,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Java HttpClient:told to ask with HTTP/1.1
sys   = @unix,@win
evidence = M: Java 17, GET and POST; http_callers
sig   = 1:Content-Length,Host,User-Agent=[Java-http-client/]:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Java HttpURLConnection:
sys   = @unix,@win
evidence = M: Java 17.0.15; http_clients
sig   = 1:User-Agent,Host,Accept=[text/html, image/gif, image/jpeg],Connection=[keep-alive]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

; What older ones accept has this in it, so it says no more of them than the one above, which is specific and wins.
label = g:!:Java HttpURLConnection:after 17
sys   = @unix,@win
evidence = M: Java 21.0.8 and 25.0.2; http_releases
sig   = 1:User-Agent=[Java/],Host,Accept=[*/*],Connection:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:OkHttp:
sys   = @unix,@win
evidence = M: OkHttp 4.12.0, GET and POST; http_more
sig   = 1:Host,Connection=[Keep-Alive],Accept-Encoding=[gzip],User-Agent:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Apache HttpClient:
sys   = @unix,@win
evidence = M: Apache HttpClient 5.4.1; http_more
sig   = 1:Accept-Encoding=[gzip, x-gzip, deflate],Host,Connection=[keep-alive],User-Agent,Upgrade=[TLS/1.2],Connection=[Upgrade]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Apache HttpClient:before version 5
sys   = @unix,@win
evidence = M: Apache HttpClient 4.5.14, GET and POST; http_callers
sig   = 1:Host,Connection=[Keep-Alive],User-Agent,Accept-Encoding=[gzip,deflate]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Jetty:as a client
sys   = @unix,@win
evidence = M: client of Jetty 12.0.16, GET and POST; http_callers
sig   = 1:Accept-Encoding=[gzip],User-Agent=[Jetty/],Host:Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Vert.x:as a client
sys   = @unix,@win
evidence = M: Vert.x 4.5.14, GET and POST; http_callers
sig   = 1:user-agent=[Vert.x-WebClient/],?content-length,host:Host,User-Agent,Connection,connection,Accept,accept,accept-encoding:

label = g:!:Guzzle:7
sys   = @unix,@win
evidence = M: Guzzle 7.4.5 on PHP 8.2 with libcurl, GET and POST; http_callers
sig   = 1:Host,User-Agent=[GuzzleHttp/7]:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Reactor Netty:
sys   = @unix,@win
evidence = M: Reactor Netty 1.2.6, GET and POST; http_libraries
sig   = 1:user-agent,host,accept=[*/*]:Host,User-Agent,Connection,connection,Accept,accept-encoding:

; Programs and libraries of languages.
label = g:!:APT:
sys   = @unix
evidence = M: apt 2.6.1, lists, again, and packages, whole and the rest of one; http_minimal
sig   = 1:Host,?Cache-Control,?Pragma,?Accept,?Range,?If-Range,?If-Modified-Since,User-Agent=[APT-HTTP/]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Erlang httpc:
sys   = @unix,@win
evidence = M: httpc of inets 8.2.2, GET, HEAD and POST; http_programs
sig   = 1:content-length,te,host,connection=[keep-alive]:Host,User-Agent,Connection,Accept,Accept-Encoding,Accept-Language:

label = g:!:Excon:
sys   = @unix,@win
evidence = M: Excon 0.88.0; http_programs
sig   = 1:Host,User-Agent=[excon/],Accept=[*/*]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Niquests:
sys   = @unix,@win
evidence = M: Niquests 3.21.2, GET and POST; http_programs
sig   = 1:Host,User-Agent=[niquests/],Accept-Encoding=[gzip, deflate],Accept=[*/*],Connection=[keep-alive]:Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Typhoeus:
sys   = @unix,@win
evidence = M: Typhoeus 1.4.0 with libcurl 7.88.1, GET and POST; http_programs
sig   = 1:Host,Accept=[*/*],User-Agent=[Typhoeus]:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Ruby HTTPClient:
sys   = @unix,@win
evidence = M: HTTPClient 2.8.3 on Ruby 3.1, GET and POST; http_programs
sig   = 1:User-Agent,Accept=[*/*],Date,Host:Connection,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:RubyGems:
sys   = @unix,@win
evidence = M: RubyGems 3.3.15, GET and HEAD; http_programs
sig   = 1:Accept-Encoding=[gzip;q=1.0,deflate;q=0.6,identity;q=0.3],Accept=[*/*],User-Agent=[RubyGems/],Connection=[keep-alive],Keep-Alive=[30],Host:Accept-Language,Accept-Charset:

label = g:!:Mojolicious:
sys   = @unix,@win
evidence = M: Mojolicious 9.31, GET and POST; http_programs
sig   = 1:Accept-Encoding=[gzip],Host,User-Agent=[Mojolicious]:Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:npm:
sys   = @unix,@win
evidence = M: npm 11.19.1 on Node.js 20.20.2; http_programs
sig   = 1:user-agent,accept=[application/json],npm-command,Accept-Encoding=[gzip,deflate],Host,connection=[keep-alive]:User-Agent,Connection,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Nim httpclient:
sys   = @unix,@win
evidence = M: Nim 1.6.10; http_programs
sig   = 1:Host,Connection=[Keep-Alive],user-agent=[Nim httpclient]:User-Agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:HTTrack:
sys   = @unix,@win
evidence = M: HTTrack 3.49.4; http_programs
sig   = 1:Connection=[keep-alive],Host,User-Agent,Accept=[text/html,image/png,image/jpeg,image/pjpeg,image/x-xbitmap],Accept-Language=[en, *],Accept-Encoding=[gzip, identity;q=0.9]:Accept-Charset,Keep-Alive:

label = s:!:Subversion:
sys   = @unix,@win
evidence = M: Subversion 1.14.2 with serf 1.3.9; http_programs
sig   = 1:Host,User-Agent,Content-Type=[text/xml],Connection=[keep-alive],Accept-Encoding=[gzip],DAV:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Mercurial:
sys   = @unix,@win
evidence = M: Mercurial 6.3.2; http_programs
sig   = 1:Accept-Encoding=[identity],accept=[application/mercurial-0.1],host,user-agent:Host,User-Agent,Connection,Accept,Accept-Language:

label = s:!:neon:for one cadaver
sys   = @unix,@win
evidence = M: cadaver 0.24 with neon 0.32.5; http_programs
sig   = 1:User-Agent,Keep-Alive,Connection=[TE, Keep-Alive],TE=[trailers],Host:Accept,Accept-Encoding,Accept-Language,Accept-Charset:

label = s:!:GStreamer:
sys   = @unix,@win
evidence = M: GStreamer 1.22.0 with libsoup 3.2.3; http_programs
sig   = 1:User-Agent,Accept-Encoding=[identity],Connection=[Keep-Alive],Host,icy-metadata=[1]:Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:tnftp:
sys   = @unix
evidence = M: tnftp 20210827; http_programs
sig   = 1:Host,Accept=[*/*],Connection=[close],User-Agent=[tnftp]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:FFmpeg:or another program with libavformat
sys   = @unix,@win
evidence = M: FFmpeg 5.1 and mpv 0.35; http_releases
sig   = 1:User-Agent,Accept=[*/*],?Range,Connection=[close],Host,Icy-MetaData=[1]:Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:check_http:
sys   = @unix,@win
evidence = M: check_http of Monitoring Plugins 2.3.3; http_releases
sig   = 1:User-Agent=[check_http/],Connection=[close],Host:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:httperf:
sys   = @unix
evidence = M: httperf 0.9.0; http_programs
sig   = 1:User-Agent=[httperf/],Host:Connection,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

; Clients of Rust.
label = g:!:reqwest:
sys   = @unix,@win
evidence = M: reqwest 0.13.5 with gzip, GET and POST; http_libraries
sig   = 1:accept=[*/*],accept-encoding=[gzip],host:Host,User-Agent,user-agent,Connection,connection,Accept:

label = s:!:ureq:
sys   = @unix,@win
evidence = M: ureq 3.5.1 with gzip, GET and POST; http_libraries
sig   = 1:accept-encoding=[gzip],user-agent,accept=[*/*],host:Host,User-Agent,Connection,connection,Accept:

; The probe for captive portals of systems of Apple has the fields of a proxy that speaks HTTP/1.0.
label = g:!:CaptiveNetworkSupport:of Apple
sys   = @unix
evidence = A: the name that the probe gives itself
sig   = 0:Host,Connection=[close],User-Agent=[CaptiveNetworkSupport]:Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive,Via:

; Proxies that put the fields of the client in another order, or name them otherwise. Those that only add some behind them
; have the signature of their client.
; What nginx adds stands first; behind that are the fields of the client it asks for.
label = g:!:nginx or PHP streams:nginx as a proxy, or PHP told to speak HTTP/1.0
sys   = @unix,@win
evidence = M: nginx 1.22.1 in front of another server, for curl, and PHP 8.2; http_more and http_answers
sig   = 0:Host,Connection=[close],User-Agent:Keep-Alive,Via:

label = s:!:Squid:as a proxy
sys   = @unix
evidence = M: Squid 5.7, for curl; http_proxies
sig   = 1:User-Agent,Host,Via=[(squid],X-Forwarded-For,Cache-Control=[max-age=],Connection=[keep-alive]:Keep-Alive,Proxy-Connection:

label = g:!:Tinyproxy:as a proxy
sys   = @unix
evidence = M: Tinyproxy 1.11.1, for curl; http_proxies
sig   = *:Host,Connection=[close],Via=[(tinyproxy]:Keep-Alive,Proxy-Connection:

label = s:!:Envoy:as a proxy
sys   = @unix
evidence = M: Envoy 1.40.0, for curl; http_proxies
sig   = 1:host,x-forwarded-proto,x-request-id,x-envoy-expected-rq-timeout-ms:Host,User-Agent,Connection,Keep-Alive:

label = g:!:Caddy or another proxy in Go:for a client that takes no compression
sys   = @unix,@win
evidence = M: Caddy 2.6, for curl; http_proxies
sig   = 1:Host,User-Agent,X-Forwarded-For,X-Forwarded-Host,X-Forwarded-Proto,Accept-Encoding=[gzip]:Connection,Keep-Alive,Via,X-Forwarded-Server,Proxy-Connection:

label = s:!:Apache:as a proxy
sys   = @unix,@win
evidence = M: Apache 2.4.71, for curl; http_proxies
sig   = 1:Host,X-Forwarded-For,X-Forwarded-Host,X-Forwarded-Server,Connection=[Keep-Alive]:Keep-Alive,Via,X-Forwarded-Proto,Proxy-Connection:

label = s:!:lighttpd:as a proxy
sys   = @unix
evidence = M: lighttpd 1.4.69, for curl; http_proxies
sig   = 1:Host,X-Forwarded-For,X-Host,X-Forwarded-Host,X-Forwarded-Proto,Connection=[close]:Keep-Alive,Via,Proxy-Connection:

label = g:!:Node.js http or another program:
sys   = @unix,@win
evidence = M: Node.js 20.20.2; http_clients
sig   = 1:Host,Connection=[keep-alive]:Te,User-Agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:Node.js http:
sys   = @unix,@win
evidence = M: request 2.88.2 on Node.js 20.20.2, which writes the host itself, GET and POST; http_answers
sig   = 1:host,Connection=[keep-alive]:Host,Te,User-Agent,user-agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:Node.js fetch:
sys   = @unix,@win
evidence = M: Node.js 20.20.2; http_clients
sig   = 1:host,connection=[keep-alive],accept=[*/*],accept-language=[*],sec-fetch-mode=[cors],user-agent,accept-encoding::

label = s:!:Deno:fetch
sys   = @unix,@win
evidence = M: Deno 2.9.6, GET and POST; http_answers
sig   = 1:accept=[*/*],accept-language=[*],user-agent,accept-encoding=[gzip,br],host:Host,User-Agent,Connection,connection,Accept,Accept-Encoding,Accept-Language:

label = g:!:undici:
sys   = @unix,@win
evidence = M: undici on Node.js 20.20.2; http_clients
sig   = 1:host,connection=[keep-alive]:te,User-Agent,user-agent,Accept,accept,Accept-Encoding,accept-encoding,Accept-Language,accept-language:

label = s:!:axios:
sys   = @unix,@win
evidence = M: axios 1.21.1; http_clients
sig   = 1:Accept=[application/json, text/plain, */*],User-Agent,Accept-Encoding=[gzip, compress, deflate, br],Host,Connection=[keep-alive]:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:got:
sys   = @unix,@win
evidence = M: got on Node.js 20.20.2; http_clients
sig   = 1:user-agent,accept-encoding=[gzip, deflate, br],Host,Connection=[keep-alive]:User-Agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:node-fetch:
sys   = @unix,@win
evidence = M: node-fetch on Node.js 20.20.2; http_clients
sig   = 1:accept=[*/*],accept-encoding=[gzip, deflate, br],user-agent,Host,Connection=[keep-alive]:User-Agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

label = g:!:superagent:
sys   = @unix,@win
evidence = M: superagent on Node.js 20.20.2; http_clients
sig   = 1:Host,Accept-Encoding=[gzip, deflate],Connection=[close]:User-Agent,Accept,Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:needle:
sys   = @unix,@win
evidence = M: needle 3.5.0 on Node.js 20.20.2; http_clients
sig   = 1:accept=[*/*],user-agent,host,Connection=[keep-alive]:Host,User-Agent,Accept,Accept-Encoding,Accept-Language,Accept-Charset,Keep-Alive:

; Browsers. Client hints (sec-ch-ua) and fetch metadata (Sec-Fetch) are sent over TLS and to the own host only.
label = s:!:Chromium:or a browser built on it, page
sys   = @unix,@win
evidence = M: Chromium 156; browsers_net
sig   = 1:Host,Connection=[keep-alive],Upgrade-Insecure-Requests=[1],User-Agent,Accept=[application/signed-exchange],?Referer,Accept-Encoding=[gzip, deflate],Accept-Language:Accept-Charset,Keep-Alive,sec-ch-ua,Sec-Fetch-Site:

label = s:!:Chromium:or a browser built on it, part of a page
sys   = @unix,@win
evidence = M: Chromium 156; browsers_net
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,?Referer,Accept-Encoding=[gzip, deflate],Accept-Language:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,sec-ch-ua,Sec-Fetch-Site:
evidence = M: Chromium 156: workers, and fields of a script's own; browser_chromium_net and browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],Accept,User-Agent,Accept-Encoding=[gzip, deflate],Accept-Language:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Access-Control-Request-Method,DNT,Sec-Fetch-Site:
evidence = M: Chromium 156: media and ranges; browser_chromium_net
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,?Referer,Accept-Encoding=[identity],Accept-Language,?Range:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Sec-Fetch-Site:

label = s:!:Chromium:or a browser built on it, page over TLS or of the own host
sys   = @unix,@win
evidence = M: Chromium 156; browsers_lo
sig   = 1:Host,Connection=[keep-alive],sec-ch-ua,sec-ch-ua-mobile,sec-ch-ua-platform,Upgrade-Insecure-Requests=[1],User-Agent,Accept=[application/signed-exchange],Sec-Fetch-Site,Sec-Fetch-Mode,?Sec-Fetch-User,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br, zstd],Accept-Language:Accept-Charset,Keep-Alive:
evidence = M: Chromium 87 of QtWebEngine 5.15 in Falkon 22.12; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],Upgrade-Insecure-Requests=[1],User-Agent,Accept=[application/signed-exchange],Sec-Fetch-Site,Sec-Fetch-Mode,?Sec-Fetch-User,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive,sec-ch-ua:
evidence = M: Chromium 156, a page to come; browser_chromium_lo
sig   = 1:Host,Connection=[keep-alive],Upgrade-Insecure-Requests=[1],Sec-Purpose=[prefetch],Accept,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,User-Agent,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive:
evidence = M: Chromium 156 that emulates a telephone, a page to come; browser_emulated
sig   = 1:Host,Connection=[keep-alive],Upgrade-Insecure-Requests=[1],Sec-Purpose=[prefetch],Accept,User-Agent,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive:

label = s:!:Chromium:or a browser built on it, part of a page over TLS or of the own host
sys   = @unix,@win
evidence = M: Chromium 156; browsers_lo
sig   = 1:Host,Connection=[keep-alive],sec-ch-ua-platform,User-Agent,sec-ch-ua,sec-ch-ua-mobile,Accept,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br, zstd],Accept-Language:Accept-Charset,Keep-Alive:
evidence = M: Chromium 156 with all hints that a server asked for, and Chromium 87 with none; browser_chromium_lo and browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Chromium 156, fields of a script's own; browser_chromium_lo
sig   = 1:Host,Connection=[keep-alive],Accept,User-Agent,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Chromium 156, workers; browser_chromium_lo
sig   = 1:Host,Connection=[keep-alive],Accept,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,User-Agent,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Chromium 156, media and ranges; browser_chromium_lo
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,Sec-Fetch-Site,Sec-Fetch-Mode,Sec-Fetch-Dest,?Referer,Accept-Encoding=[identity],Accept-Language,?Range:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Chromium 156, a file to keep; browser_chromium_lo
sig   = 1:Host,Connection=[keep-alive],Sec-Fetch-Site,Sec-Fetch-Mode=[navigate],Sec-Fetch-Dest=[empty],?Referer,User-Agent,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept,Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Chromium 156 that emulates a telephone, a file to keep; browser_emulated
sig   = 1:Host,Connection=[keep-alive],User-Agent,Sec-Fetch-Site,Sec-Fetch-Mode=[navigate],Sec-Fetch-Dest=[empty],?Referer,Accept-Encoding=[gzip, deflate, br],Accept-Language:Accept,Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:

; What pages do not ask for themselves has no hints wherever it goes, and some of it no fetch metadata.
label = s:!:Chromium:or a browser built on it, asking whether another site may be asked
sys   = @unix,@win
evidence = M: Chromium 156 and 87; browser_chromium_net and browser_chromium_lo and browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],Accept=[*/*],Access-Control-Request-Method,?Access-Control-Request-Headers,?Origin,User-Agent,Sec-Fetch-Mode=[cors],?Referer,Accept-Encoding=[gzip, deflate],Accept-Language:Accept-Charset,Keep-Alive:

label = s:!:Chromium:or a browser built on it, WebSocket
sys   = @unix,@win
evidence = M: Chromium 156 and 87; browser_chromium_net and browser_chromium_lo and browser_qtwebengine
sig   = 1:Host,Connection=[Upgrade],Pragma=[no-cache],?Cache-Control,User-Agent,Upgrade=[websocket],?Origin,Sec-WebSocket-Version=[13],Accept-Encoding=[gzip, deflate],Accept-Language,Sec-WebSocket-Key,Sec-WebSocket-Extensions=[permessage-deflate; client_max_window_bits]:Accept,Accept-Charset,Keep-Alive:

label = g:!:Chromium:or a browser built on it, file to keep, report, or rules for proxies
sys   = @unix,@win
evidence = M: Chromium 156; browser_chromium_net
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept-Encoding=[gzip, deflate],Accept-Language:Accept,Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,DNT,Sec-Fetch-Site:
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept-Encoding=[gzip, deflate]:Accept,Accept-Language,Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,DNT,Sec-Fetch-Site:

label = s:!:Chromium:QtWebEngine, media and ranges
sys   = @unix,@win
evidence = M: Chromium 87 of QtWebEngine 5.15 in qutebrowser 2.5 and Falkon 22.12; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept-Encoding=[identity],Accept,?Referer,Range:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:

; It sets the languages itself, and asks not to be tracked.
label = s:!:Chromium:QtWebEngine of qutebrowser
sys   = @unix,@win
evidence = M: qutebrowser 2.5, pages and their parts; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,DNT=[1],Accept-Language,?Referer,Accept-Encoding=[gzip, deflate]:Accept-Charset,Keep-Alive:
evidence = M: qutebrowser 2.5, ranges by a script; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],User-Agent,Accept,DNT=[1],Accept-Language,?Referer,Accept-Encoding=[identity],Range:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: qutebrowser 2.5, fields of a script's own; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],Accept,User-Agent,DNT=[1],Accept-Language,?Referer,Accept-Encoding=[gzip, deflate]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: qutebrowser 2.5, workers and a file to keep; browser_qtwebengine
sig   = 1:Host,Connection=[keep-alive],DNT=[1],User-Agent,?Referer,Accept-Encoding=[gzip, deflate]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:

label = s:!:Firefox:page
sys   = @unix,@win
evidence = M: Firefox ESR 153; browsers_net
sig   = 1:Host,User-Agent,Accept=[text/html],Accept-Language,Accept-Encoding=[gzip, deflate],Connection=[keep-alive],?Referer,Upgrade-Insecure-Requests=[1],Priority=[u=]:Accept-Charset,Keep-Alive,Sec-Fetch-Dest:

label = s:!:Firefox:part of a page
sys   = @unix,@win
evidence = M: Firefox ESR 153; browsers_net
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate],Connection=[keep-alive],?Referer,Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Sec-Fetch-Dest:
evidence = M: Firefox ESR 153, by a script; browsers_net
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate],Referer,Connection=[keep-alive],Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Sec-Fetch-Dest:
evidence = M: Firefox ESR 153, ranges by a script; browser_firefox_net
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[identity],?Referer,Range,Connection=[keep-alive],Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Firefox ESR 153, media; browser_firefox_net
sig   = 1:Host,User-Agent,Accept,Accept-Language,?Range,Connection=[keep-alive],?Referer,Accept-Encoding=[identity],Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:

; Scripts that copy the fields of a browser send the same.
label = g:!:Firefox:or a program with the fields of a browser
sys   = @unix,@win
evidence = M: Firefox ESR 153: modules, fonts, and what comes late; browser_firefox_net
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate],Connection=[keep-alive],?Referer:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Sec-Fetch-Dest,Priority:

label = s:!:Firefox:page over TLS or of the own host
sys   = @unix,@win
evidence = M: Firefox ESR 153; browsers_lo
sig   = 1:Host,User-Agent,Accept=[text/html],Accept-Language,Accept-Encoding=[gzip, deflate, br, zstd],Connection=[keep-alive],?Referer,Upgrade-Insecure-Requests=[1],Sec-Fetch-Dest,Sec-Fetch-Mode,Sec-Fetch-Site,?Sec-Fetch-User,Priority=[u=]:Accept-Charset,Keep-Alive:

label = s:!:Firefox:part of a page over TLS or of the own host
sys   = @unix,@win
evidence = M: Firefox ESR 153; browsers_lo
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate, br, zstd],Connection=[keep-alive],?Referer,Sec-Fetch-Dest,Sec-Fetch-Mode,Sec-Fetch-Site,Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Firefox ESR 153, by a script; browsers_lo
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate, br, zstd],Referer,Connection=[keep-alive],Sec-Fetch-Dest,Sec-Fetch-Mode,Sec-Fetch-Site,Priority=[u=]:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests:
evidence = M: Firefox ESR 153: modules, fonts, and what comes late; browser_firefox_lo
sig   = 1:Host,User-Agent,Accept,Accept-Language,Accept-Encoding=[gzip, deflate, br, zstd],Connection=[keep-alive],?Referer,Sec-Fetch-Dest,Sec-Fetch-Mode,Sec-Fetch-Site:Accept-Charset,Keep-Alive,Upgrade-Insecure-Requests,Priority:

label = s:!:Firefox:WebSocket
sys   = @unix,@win
evidence = M: Firefox ESR 153; browser_firefox_net and browser_firefox_lo
sig   = 1:Host,User-Agent,Accept=[*/*],Accept-Language,Accept-Encoding=[gzip, deflate],Sec-WebSocket-Version=[13],?Origin,Sec-WebSocket-Extensions=[permessage-deflate],Sec-WebSocket-Key,Connection=[Upgrade],Pragma=[no-cache],?Cache-Control,Upgrade=[websocket]:Accept-Charset,Keep-Alive:

; libsoup adds the last fields.
label = s:!:WebKitGTK:or another program with libsoup
sys   = @unix
evidence = M: WebKitGTK of Epiphany 43 and surf 2.1: pages and their parts; browser_webkitgtk
sig   = 1:User-Agent,Accept-Encoding=[gzip, deflate],Accept-Language,Connection=[Keep-Alive],Host:Accept-Charset,Keep-Alive:
evidence = M: WebKitGTK of Epiphany 43: media and ranges; browser_webkitgtk
sig   = 1:?Range,User-Agent,Accept-Encoding=[identity],Accept-Language,Connection=[Keep-Alive],Host:Accept-Charset,Keep-Alive:

label = s:!:WebKitGTK:WebSocket
sys   = @unix
evidence = M: WebKitGTK of Epiphany 43; browser_webkitgtk
sig   = 1:User-Agent,?Origin,Pragma=[no-cache],?Cache-Control,Upgrade=[websocket],Connection=[Upgrade],Sec-WebSocket-Key,Sec-WebSocket-Version=[13],Accept-Encoding=[gzip, deflate],Accept-Language,Host:Accept-Charset,Keep-Alive:

label = s:!:WebKitGTK:media by GStreamer
sys   = @unix
evidence = M: WebKitGTK of Epiphany 43; browser_webkitgtk
sig   = 1:?Referer,Connection=[close],Accept=[*/*],User-Agent,Accept-Language,Host,Icy-Metadata=[1]:Accept-Encoding,Accept-Charset,Keep-Alive:

label = s:!:Dillo:
sys   = @unix
evidence = M: Dillo 3.0.5; browsers_small
sig   = 1:Host,User-Agent,Accept,Accept-Encoding=[gzip, deflate],DNT=[1],Referer,Connection=[close]:Accept-Language,Accept-Charset,Keep-Alive:

label = s:!:NetSurf:
sys   = @unix
evidence = M: NetSurf 3.10; browsers_small
sig   = 1:Host,User-Agent=[NetSurf/],Accept=[*/*],Accept-Encoding=[gzip],?Referer:Connection,Accept-Language,Accept-Charset,Keep-Alive:

[x-http:response]

; Files are sent by many with the same fields, so that these ask for the own name. What names no server and has no value of its
; own is sent by others than those that were recorded, as by libevent, eventlet, Starman, libmicrohttpd and libwebsockets: where
; that is so, the name says it.
label = s:!:nginx:
sys   = @unix,@win
evidence = M: nginx 1.22.1, a file; http_servers
sig   = 1:Server=[nginx],Date,Content-Type,?Content-Length,?Last-Modified,Connection,?ETag,Accept-Ranges=[bytes]:Keep-Alive:
evidence = M: nginx 1.22.1 with gzip, a file; http_servers
sig   = 1:Server=[nginx],Date,Content-Type,?Last-Modified,Transfer-Encoding=[chunked],Connection,?ETag,Content-Encoding:Keep-Alive,Accept-Ranges:
evidence = M: nginx 1.22.1, an error or redirection; http_servers
sig   = 1:Server=[nginx],Date,Content-Type,?Content-Length,?Location,Connection=[keep-alive]:Keep-Alive,Accept-Ranges:
evidence = M: nginx 1.22.1, an error without keep-alive; http_more
sig   = 1:Server=[nginx],Date,Content-Type,?Content-Length,?Location,Connection=[close]:Keep-Alive,Accept-Ranges:

evidence = A: OpenResty and Tengine, which are nginx with another name, and nginx in capitals
sig   = 1:Server=[openresty],Date,Content-Type,?Content-Length,?Last-Modified,Connection,?ETag,Accept-Ranges=[bytes]:Keep-Alive:
sig   = 1:Server=[openresty],Date,Content-Type,?Last-Modified,Transfer-Encoding=[chunked],Connection,?ETag,Content-Encoding:Keep-Alive,Accept-Ranges:
sig   = 1:Server=[Tengine],Date,Content-Type,?Content-Length,?Last-Modified,Connection,?ETag,Accept-Ranges=[bytes]:Keep-Alive:
sig   = 1:Server=[Tengine],Date,Content-Type,?Last-Modified,Transfer-Encoding=[chunked],Connection,?ETag,Content-Encoding:Keep-Alive,Accept-Ranges:
sig   = 1:Server=[NGINX],Date,Content-Type,?Content-Length,?Last-Modified,Connection,?ETag,Accept-Ranges=[bytes]:Keep-Alive:
sig   = 1:Server=[NGINX],Date,Content-Type,?Last-Modified,Transfer-Encoding=[chunked],Connection,?ETag,Content-Encoding:Keep-Alive,Accept-Ranges:

label = g:!:nginx:
sys   = @unix,@win
evidence = M: nginx 1.22.1, what has not changed; http_kept_alive
sig   = 1:Server=[nginx],Date,?Last-Modified,Connection,?ETag:Content-Type,Keep-Alive,Accept-Ranges:

label = s:!:Apache:
sys   = @unix,@win
evidence = M: Apache 2.4.71, a file; http_servers
sig   = 1:Date,Server=[Apache],?Last-Modified,?ETag,Accept-Ranges=[bytes],?Content-Length,?Connection,Content-Type:Keep-Alive:
evidence = M: Apache 2.4.71, a file, compressed and not, for who asks to keep the connection, as browsers do; http_kept_alive
sig   = 1:Date,Server=[Apache],?Last-Modified,?ETag,Accept-Ranges=[bytes],?Content-Length,Keep-Alive=[timeout=],Connection=[Keep-Alive],Content-Type::
evidence = M: Apache 2.4.71 with mod_http2, a file, with keep-alive and without; http_kept_alive
sig   = 1:Date,Server=[Apache],Upgrade=[h2],Connection=[Upgrade],?Last-Modified,?ETag,Accept-Ranges=[bytes],?Content-Length,?Keep-Alive,Content-Type::
evidence = M: Apache 2.4.71 with mod_http2, what has not changed; http_kept_alive
sig   = 1:Date,Server=[Apache],Upgrade=[h2],Connection=[Upgrade],?Last-Modified,?ETag,Accept-Ranges=[bytes],?Keep-Alive:Content-Type:

label = g:!:Apache:
sys   = @unix,@win
evidence = M: Apache 2.4.71, an error; http_servers
sig   = 1:Date,Server=[Apache],?Location,?Content-Length,?Connection,Content-Type:Accept-Ranges,Keep-Alive:
evidence = M: Apache 2.4.71, an error and a redirection, with keep-alive; http_kept_alive
sig   = 1:Date,Server=[Apache],?Location,?Content-Length,Keep-Alive=[timeout=],Connection=[Keep-Alive],Content-Type:Accept-Ranges:
evidence = M: Apache 2.4.71, what has not changed; http_kept_alive
sig   = 1:Date,Server=[Apache],?Last-Modified,?ETag,Accept-Ranges=[bytes],?Keep-Alive,?Connection:Content-Type:

label = s:!:lighttpd:
sys   = @unix,@win
evidence = M: lighttpd 1.4.69, a file; http_servers
sig   = 1:Content-Type,?ETag,?Last-Modified,?Content-Length,Accept-Ranges=[bytes],?Connection,Date,Server=[lighttpd]:Keep-Alive:
evidence = M: lighttpd 1.4.69, a file in HTTP/1.0; http_servers
sig   = 0:Content-Type,?ETag,?Last-Modified,?Content-Length,Connection=[close],Date,Server=[lighttpd]:Keep-Alive,Accept-Ranges:

label = g:!:lighttpd:
sys   = @unix,@win
evidence = M: lighttpd 1.4.69, an error; http_servers
sig   = 1:Content-Type,?Content-Length,?Connection,Date,Server=[lighttpd]:Keep-Alive,Accept-Ranges:
evidence = M: lighttpd 1.4.69, a redirection; http_kept_alive
sig   = 1:Location,?Content-Length,?Connection,Date,Server=[lighttpd]:Content-Type,Keep-Alive,Accept-Ranges:

label = s:!:Caddy:in front of another server
sys   = @unix,@win
evidence = M: Caddy 2.6; http_proxies
sig   = *:Content-Type,Date,?Etag,?Last-Modified,?Location,Server=[Caddy],Server,?Connection:Keep-Alive:

label = s:!:Caddy:
sys   = @unix,@win
evidence = M: Caddy 2.6, a file; http_servers
sig   = *:Accept-Ranges=[bytes],?Content-Length,Content-Type,Etag,?Last-Modified,Server=[Caddy],Date,?Connection:Keep-Alive:
evidence = M: Caddy 2.6, a file of no known type; http_kept_alive
sig   = *:Accept-Ranges=[bytes],?Content-Length,Etag,?Last-Modified,Server=[Caddy],Date,?Connection:Content-Type,Keep-Alive:

label = g:!:Caddy:
sys   = @unix,@win
evidence = M: Caddy 2.6, an error; http_servers
sig   = *:Server=[Caddy],Date,?Content-Length:Content-Type,Connection,Keep-Alive,Accept-Ranges:

label = g:!:HAProxy:
sys   = @unix
evidence = M: HAProxy, error 503; http_servers
sig   = 1:content-length,cache-control=[no-cache],content-type=[text/html],?connection:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date,date,Server,server:

label = s:!:HAProxy:
sys   = @unix
evidence = M: HAProxy, error 400; http_servers
sig   = 1:Content-length,Cache-Control=[no-cache],Connection=[close],Content-Type=[text/html]:Keep-Alive,Accept-Ranges,Date,Server:

label = g:!:HAProxy:
sys   = @unix
evidence = M: HAProxy 2.6, a redirection; http_proxies
sig   = 1:content-length=[0],location,?cache-control:Content-Type,content-type,Connection,Date,date,Server,server:

label = s:!:Squid:in front of another server
sys   = @unix
evidence = M: Squid 5.7, with and without an answer of its cache; http_proxies
sig   = 1:Date,X-Cache=[ from ],X-Cache-Lookup=[ from ],Via=[(squid],Connection:Keep-Alive,X-Squid-Error:

label = s:!:Squid:
sys   = @unix
evidence = M: Squid 5.7, an error, of a tunnel too; http_proxies
sig   = 1:Server,Mime-Version=[1.0],Date,Content-Type=[text/html],?Content-Length,X-Squid-Error=[ERR_],?Vary,?Content-Language:Keep-Alive,Accept-Ranges:

label = g:!:Tinyproxy:in front of another server
sys   = @unix
evidence = M: Tinyproxy 1.11.1; http_proxies
sig   = *:Via=[(tinyproxy],Server,Date:Connection,Keep-Alive:

label = g:!:Tinyproxy:
sys   = @unix
evidence = M: Tinyproxy 1.11.1, a tunnel; http_proxies
sig   = 0:Proxy-agent=[tinyproxy/]:Content-Type,Connection,Keep-Alive,Date,Server:
evidence = M: Tinyproxy 1.11.1, an error; http_proxies
sig   = 1:Server=[tinyproxy/],Content-Type,Connection=[close]:Keep-Alive,Accept-Ranges,Date:

label = s:!:Privoxy:
sys   = @unix,@win
evidence = M: Privoxy 3.0.34, an error; http_proxies
sig   = 1:Content-Length,Content-Type=[text/html],Cache-Control=[no-cache],Date,Last-Modified=[1955],Expires=[2000],Pragma=[no-cache],?Connection:Keep-Alive,Accept-Ranges,Server:

label = s:!:Traffic Server:
sys   = @unix
evidence = M: Traffic Server 9.2, an error; http_proxies
sig   = 1:Date,?Proxy-Connection,Server=[ATS],Cache-Control=[no-store],Content-Type,Content-Language,?Connection,Content-Length:Keep-Alive,Accept-Ranges:

label = g:!:Traffic Server:in front of another server
sys   = @unix
evidence = M: Traffic Server 9.2; http_proxies
sig   = *:Server=[ATS],Date,Age,?Proxy-Connection,?Connection:Keep-Alive:

label = g:!:Traffic Server:
sys   = @unix
evidence = M: Traffic Server 9.2, a tunnel; http_proxies
sig   = 1:Date,Proxy-Connection,Server=[ATS]:Content-Type,Connection,Keep-Alive,Accept-Ranges:

label = g:!:Envoy:in front of another server
sys   = @unix
evidence = M: Envoy 1.40.0; http_proxies
sig   = *:server=[envoy],date,x-envoy-upstream-service-time,?connection:Server,Date,Connection,Keep-Alive:

label = s:!:Envoy:
sys   = @unix
evidence = M: Envoy 1.40.0, an error; http_proxies
sig   = *:content-length,content-type=[text/plain],date,server=[envoy],?connection:Server,Date,Connection,Keep-Alive:
evidence = M: Envoy 1.40.0, a redirection; http_proxies
sig   = *:location,date,server=[envoy],content-length,?connection:Server,Date,Connection,Keep-Alive:

label = s:!:nghttpx:in front of another server
sys   = @unix
evidence = M: nghttpx 1.52.0, files, errors and a redirection; http_proxies
sig   = *:Date,Content-Type,?Content-Length,?Location,?Connection,Server=[nghttpx],Via=[nghttpx]:Keep-Alive:

label = s:!:nghttpx:
sys   = @unix
evidence = M: nghttpx 1.52.0, an error; http_proxies
sig   = 1:Server=[nghttpx],?Content-Length,Date,Content-Type,Connection=[close]:Keep-Alive,Accept-Ranges,Via:

label = s:!:Varnish:in front of another server
sys   = @unix
evidence = M: Varnish 7.1.1; http_more
sig   = 1:Server,Date,X-Varnish,Age,Via=[varnish],?Accept-Ranges,Connection:Keep-Alive:
evidence = M: Varnish 7.1.1, errors and redirections of the server; http_answers
sig   = 1:Server,Date,Content-Type,X-Varnish,Age,Via=[varnish],Connection:Keep-Alive,Accept-Ranges:

label = s:!:Varnish:
sys   = @unix
evidence = M: Varnish 7.1.1, a response of its own; http_answers
sig   = 1:Date,Server=[Varnish],X-Varnish,Content-Type,?Content-Length,Connection:Keep-Alive,Accept-Ranges:

label = s:!:h2o:
sys   = @unix
evidence = M: h2o 2.2.5, a file, errors and a redirection; http_more
sig   = 1:Date,Connection,?Content-Length,Server=[h2o],?location,?allow,content-type:Content-Type,Keep-Alive,Accept-Ranges:

label = s:!:mini_httpd:
sys   = @unix
evidence = M: mini_httpd 1.30, a file and errors; http_more
sig   = *:Server=[mini_httpd],Date,?Cache-Control,Content-Type,?Content-Length,?Last-Modified,Connection=[close]:Keep-Alive,Accept-Ranges:

label = s:!:webfs:
sys   = @unix
evidence = M: webfs 1.21, a file and errors; http_more
sig   = 1:Server=[webfs],Connection,Accept-Ranges=[bytes],Content-Type,?Content-Length,?Last-Modified,Date:Keep-Alive:

label = s:!:micro_httpd:
sys   = @unix
evidence = M: micro_httpd 20140814, a file, a folder, and a redirection; http_small_servers
sig   = 0:Server=[micro_httpd],Date,?Location,Content-Type,?Content-Length,?Last-Modified,Connection=[close]:Keep-Alive,Accept-Ranges:

label = g:!:BusyBox httpd:
sys   = @unix
evidence = M: BusyBox 1.35, a file, a redirection, and an error; http_small_servers
sig   = 1:Date,Connection=[close],Content-type:Content-Type,Keep-Alive,Server:

label = s:!:PHP:built-in server
sys   = @unix,@win
evidence = M: PHP 8.2, a file and errors; http_more
sig   = *:Host,Date,Connection=[close],Content-Type,?Content-Length:Keep-Alive,Accept-Ranges,Server:

; Servers of Python.
label = g:!:Python wsgiref:
sys   = @unix,@win
evidence = M: Python 3.11, a handler, with and without a length, and an error; http_minimal
sig   = 0:Date,Server=[WSGIServer/],Content-Type,?Content-Length:Connection,Keep-Alive,Accept-Ranges:

label = g:!:Python http.server:
sys   = @unix,@win
evidence = M: Python 3.11 told to speak HTTP/1.1, a file, and an error; http_minimal
sig   = 1:Server=[SimpleHTTP/],Date,Content-type,?Content-Length,?Last-Modified:Content-Type,Connection,Keep-Alive,Accept-Ranges:
sig   = 1:Server=[SimpleHTTP/],Date,Connection=[close],Content-Type,?Content-Length:Keep-Alive,Accept-Ranges:
evidence = M: Python 3.11, a file; http_servers
sig   = 0:Server=[Python/],Date,Content-type,?Content-Length,?Last-Modified:Content-Type,Connection,Keep-Alive,Accept-Ranges:
evidence = M: Python 3.11, a handler that speaks HTTP/1.1; browsers_net and browsers_lo
sig   = 1:Server=[BaseHTTP/],Date,Content-Type,?Content-Length,?Connection:Keep-Alive,Accept-Ranges:

label = s:!:Python http.server:
sys   = @unix,@win
evidence = M: Python 3.11, an error; http_servers
sig   = 0:Server=[Python/],Date,Connection=[close],Content-Type,?Content-Length:Keep-Alive,Accept-Ranges:

label = s:!:Twisted Web:
sys   = @unix,@win
evidence = M: Twisted 22.4, a file; http_small_servers
sig   = *:Server=[TwistedWeb],Date,Accept-Ranges=[bytes],?Content-Length,Content-Type,?Last-Modified:Keep-Alive:

label = g:!:Twisted Web:
sys   = @unix,@win
evidence = M: Twisted 22.4, a folder and a redirection; http_small_servers
sig   = *:?Connection,Server=[TwistedWeb],Date,Content-Type,?Location,?Content-Length:Keep-Alive,Accept-Ranges:

label = g:!:Daphne:
sys   = @unix,@win
evidence = M: Daphne 4.2.3; http_frameworks
sig   = *:?Connection,?Content-Type,?Location,?Content-Length,Server=[daphne]:Keep-Alive,Accept-Ranges,Date:
evidence = M: Daphne 4.2.3 with Starlette; http_answers
sig   = *:?Connection,Content-Length,Content-Type,Server=[daphne]:Keep-Alive,Accept-Ranges,Date:
sig   = *:?Connection,Content-Length,Location,Server=[daphne]:Content-Type,Keep-Alive,Accept-Ranges,Date:

label = g:!:aiohttp:as a server
sys   = @unix,@win
evidence = M: aiohttp 3.14.5; http_frameworks
sig   = *:Content-Type,?Location,?Content-Length,Date,Server=[aiohttp/],?Connection:Keep-Alive,Accept-Ranges:

; Servers of languages.
label = s:!:Starlet:
sys   = @unix,@win
evidence = M: Starlet 0.31; http_platforms
sig   = 1:Date,Server=[Plack::Handler::Starlet],Content-Type,Transfer-Encoding=[chunked],Connection=[close]:Keep-Alive,Accept-Ranges:

label = g:!:HTTP-Server-PSGI:of Plack
sys   = @unix,@win
evidence = M: Plack 1.0050; http_platforms
sig   = 0:Date,Server=[HTTP::Server::PSGI],Content-Type,?Content-Length:Connection,Keep-Alive,Accept-Ranges:

label = g:!:Thin:
sys   = @unix,@win
evidence = M: Thin 1.8.1; http_platforms
sig   = 1:Content-Type,Connection=[close],Server=[thin]:Keep-Alive,Accept-Ranges,Date:

label = s:!:Granian:
sys   = @unix,@win
evidence = M: Granian 2.8.7, with keep-alive and without; http_platforms
sig   = 1:content-type,server=[granian],?connection,content-length,date:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:
evidence = M: Granian 2.8.7 with Starlette; http_answers
sig   = 1:content-length,content-type,server=[granian],?connection,date:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:
sig   = 1:content-type,server=[granian],?connection,transfer-encoding,date:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:
sig   = 1:location,server=[granian],?connection,content-length,date:content-type,Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:

label = g:!:Mono HttpListener:
sys   = @unix,@win
evidence = M: Mono 6.8.0, with keep-alive and without; http_platforms
sig   = 1:Content-Type,Server=[Mono-HTTPAPI/],Date,?Content-Length:Accept-Ranges:

label = g:!:Yaws:
sys   = @unix,@win
evidence = M: Yaws 2.1.1, a file and an error; http_platforms
sig   = 1:?Connection,Server=[Yaws],Date,?Last-Modified,?Content-Length,Content-Type:Keep-Alive,Accept-Ranges:

label = s:!:Webdis:
sys   = @unix,@win
evidence = M: Webdis 0.1.9; http_platforms
sig   = *:Server=[Webdis],Allow,Access-Control-Allow-Methods,Access-Control-Allow-Origin,Access-Control-Allow-Headers,Connection,?Content-Length:Keep-Alive,Accept-Ranges,Date:

label = g:!:Mojolicious:
sys   = @unix,@win
evidence = M: Mojolicious 9.31; http_platforms
sig   = 1:?Content-Length,Content-Type,Date,Server=[Mojolicious],?Vary:Connection,Keep-Alive,Accept-Ranges:

label = g:!:Erlang inets:
sys   = @unix,@win
evidence = M: inets 8.2.2, a file; http_platforms
sig   = 1:Server=[inets/],Content-Type,?Content-Length,Date:Keep-Alive,Accept-Ranges:
evidence = M: inets 8.2.2, an error; http_platforms
sig   = 1:Date,Server=[inets/],Content-Type,?Content-Length:Connection,Keep-Alive,Accept-Ranges:

label = g:!:CivetWeb:
sys   = @unix,@win
evidence = M: CivetWeb 1.15, a file; http_platforms
sig   = 1:?Cache-Control,Content-Type,?Last-Modified,Etag,?Content-Length,Accept-Ranges=[bytes],Date,Connection=[close]:Keep-Alive,Server:
evidence = M: CivetWeb 1.15, an error; http_platforms
sig   = 1:Cache-Control=[no-cache, no-store],Expires=[0],Pragma=[no-cache],Content-Type,Date,Connection=[close]:Keep-Alive,Accept-Ranges,Server:

label = s:!:Werkzeug:
sys   = @unix,@win
evidence = M: Werkzeug 3.1.9 with Flask; http_servers
sig   = 1:Server=[Werkzeug],Date,Content-Type,?Content-Length,Connection=[close]:Keep-Alive,Accept-Ranges:

label = s:!:gunicorn:
sys   = @unix
evidence = M: gunicorn; http_servers
sig   = *:Server=[gunicorn],Date,Connection=[close],Content-Type,?Content-Length:Keep-Alive,Accept-Ranges:
evidence = M: gunicorn 27.0.1 with threads, which keep the connection; http_answers
sig   = 1:Server=[gunicorn],Date,Connection=[keep-alive],Content-Type,?Content-Length:Keep-Alive,Accept-Ranges:
evidence = M: gunicorn 27.0.1, a redirection; http_answers
sig   = *:Server=[gunicorn],Date,Connection,Location,?Content-Length:Content-Type,Keep-Alive,Accept-Ranges:

label = s:!:uvicorn:with httptools
sys   = @unix,@win
evidence = M: uvicorn with httptools; http_servers
sig   = 1:date,server=[uvicorn],content-type,?connection,transfer-encoding:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:

label = s:!:uvicorn:with h11
sys   = @unix,@win
evidence = M: uvicorn with h11; http_servers
sig   = 1:date,server=[uvicorn],content-type,Transfer-Encoding,?Connection:Content-Type,Keep-Alive,Accept-Ranges,Date:
sig   = 1:date,server=[uvicorn],content-type,Connection=[close]:Content-Type,Keep-Alive,Accept-Ranges,Date:

label = g:!:uvicorn:
sys   = @unix,@win
evidence = M: uvicorn with httptools, the answer to HEAD; http_servers
sig   = 1:date,server=[uvicorn],content-type,?content-length:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:
evidence = M: uvicorn 0.54.0 with Starlette; http_answers
sig   = 1:date,server=[uvicorn],content-length,content-type:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:
sig   = 1:date,server=[uvicorn],content-length,location:content-type,Content-Type,Connection,Keep-Alive,Accept-Ranges,Date:

label = s:!:Hypercorn:
sys   = @unix,@win
evidence = M: Hypercorn with h11; http_servers
sig   = 1:content-type,date,server=[hypercorn],Transfer-Encoding,?Connection:Content-Type,Keep-Alive,Accept-Ranges,Date:
sig   = 1:content-type,date,server=[hypercorn],Connection=[close]:Content-Type,Keep-Alive,Accept-Ranges,Date:
evidence = M: Hypercorn 0.18.0 with Starlette; http_answers
sig   = 1:content-length,content-type,date,server=[hypercorn]:Content-Type,Keep-Alive,Accept-Ranges,Date:
sig   = 1:content-length,location,date,server=[hypercorn]:content-type,Content-Type,Keep-Alive,Accept-Ranges,Date:

label = g:!:Sanic:
sys   = @unix,@win
evidence = M: Sanic 25.12.1, handlers, an error and a redirection, with keep-alive and without; http_answers
sig   = 1:?Location,content-length,connection,content-type:Content-Type,Content-Length,Connection,Keep-Alive,Accept-Ranges,Date,date,Server,server:
sig   = 1:transfer-encoding=[chunked],connection,content-type:Content-Type,Connection,Keep-Alive,Accept-Ranges,Date,date,Server,server:

label = g:!:waitress:
sys   = @unix,@win
evidence = M: waitress; http_servers
sig   = *:?Connection,?Content-Length,Content-Type,Date,Server=[waitress]:Keep-Alive,Accept-Ranges:

label = s:!:Tornado:
sys   = @unix,@win
evidence = M: Tornado 6.6.1; http_servers
sig   = 1:Server=[TornadoServer],Content-Type,Date,Etag,?Content-Length,?Connection:Keep-Alive,Accept-Ranges:

label = g:!:Tornado:
sys   = @unix,@win
evidence = M: Tornado 6.6.1, an error or the answer to HEAD; http_servers
sig   = 1:Server=[TornadoServer],Content-Type,Date,?Content-Length,?Connection:Keep-Alive,Accept-Ranges:

label = g:!:Cheroot:of CherryPy
sys   = @unix,@win
evidence = M: Cheroot 11.1.2; http_servers
sig   = 1:Content-Type,?Content-Length,?Connection,Date,Server=[Cheroot]:Keep-Alive,Accept-Ranges:

label = g:!:CherryPy:
sys   = @unix,@win
evidence = M: CherryPy 18.10.0, a handler, with and without a length, and an error; http_minimal
sig   = 1:Content-Type,Server=[CherryPy/],Date,?Content-Length,?Connection:Keep-Alive,Accept-Ranges:

; Servers of Node.js. Fields are in the order in which the program sets them; those behind Date are of Node.js.
label = s:!:Express:
sys   = @unix,@win
evidence = M: Express on Node.js 20, with and without keep-alive; http_servers
sig   = 1:X-Powered-By=[Express],Content-Type,?Content-Length,?ETag,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Accept-Ranges,Server:
sig   = 1:X-Powered-By=[Express],Content-Type,?Content-Length,?ETag,Date,Connection=[close]:Keep-Alive,Accept-Ranges,Server:
evidence = M: Express 5 on Node.js 20, a file, a part of it, and what has not changed; http_answers
sig   = 1:X-Powered-By=[Express],Accept-Ranges=[bytes],?Cache-Control,?Last-Modified,?ETag,Content-Type,?Content-Length,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Server:
sig   = 1:X-Powered-By=[Express],Accept-Ranges=[bytes],?Cache-Control,?Last-Modified,?ETag,Content-Type,?Content-Length,Date,Connection=[close]:Keep-Alive,Server:
sig   = 1:X-Powered-By=[Express],Accept-Ranges=[bytes],?Cache-Control,?Last-Modified,?ETag,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Content-Type,Server:

label = g:!:Express:behind HAProxy or another proxy that writes names in lower case
sys   = @unix,@win
evidence = M: Express 5 on Node.js 20 behind HAProxy 2.6, and behind http-proxy 1.18.1; http_answers
sig   = 1:x-powered-by=[Express],content-type,?content-length,date:Content-Type,Date,Server,server:

label = g:!:hapi or another server on Node.js:
sys   = @unix,@win
evidence = M: hapi 21.4.10 on Node.js 20; http_frameworks
sig   = 1:?location,content-type,cache-control=[no-cache],content-length,?accept-ranges,Date,Connection:Content-Type,Server,X-Powered-By:
evidence = M: hapi 21.4.10 on Node.js 20, an error without keep-alive; http_frameworks
sig   = 1:content-type=[application/json],cache-control=[no-cache],content-length,Date,Connection=[close]:Content-Type,Accept-Ranges,Server,X-Powered-By:

label = g:!:restify:
sys   = @unix,@win
evidence = M: restify 11.1.0 on Node.js 20; http_frameworks
sig   = 1:Server=[restify],?Location,?Content-Type,?Content-Length,Date,Connection:Accept-Ranges:

label = s:!:Fastify:
sys   = @unix,@win
evidence = M: Fastify on Node.js 20; http_servers
sig   = 1:content-type,content-length,Date,Connection=[keep-alive],Keep-Alive=[timeout=72]:Content-Type,Accept-Ranges,Server:

label = g:!:Fastify or another server on Node.js:
sys   = @unix,@win
evidence = M: Fastify on Node.js 20, without keep-alive; http_servers
sig   = 1:content-type=[application/json],content-length,Date,Connection=[close]:Content-Type,Keep-Alive,Accept-Ranges,Server:

label = s:!:Node.js:http, also with koa
sys   = @unix,@win
evidence = M: koa on Node.js 20; http_servers
sig   = 1:Content-Type,?Content-Length,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Accept-Ranges,Server,X-Powered-By:
evidence = M: Node.js 20, where the program does not tell the length; http_small_servers
sig   = 1:Content-Type,Date,Connection=[keep-alive],Keep-Alive=[timeout=5],Content-Length:Accept-Ranges,Server,X-Powered-By:
evidence = M: send, which Express takes for files, on Node.js 20: a file, a part of it, and what has not changed; http_answers
sig   = 1:Accept-Ranges=[bytes],?Cache-Control,?Last-Modified,?ETag,Content-Type,?Content-Length,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Server,X-Powered-By:
sig   = 1:Accept-Ranges=[bytes],?Cache-Control,?Last-Modified,?ETag,Date,Connection=[keep-alive],Keep-Alive=[timeout=5]:Content-Type,Server,X-Powered-By:

label = g:!:Node.js or Tomcat or another server:
sys   = @unix,@win
evidence = M: koa on Node.js 20 and Tomcat 10.1.34, without keep-alive; http_servers and http_more
sig   = 1:Content-Type,Content-Length,Date,Connection=[close]:Keep-Alive,Accept-Ranges,Server,X-Powered-By:

label = g:!:Go net/http or Node.js or another server:
sys   = @unix,@win
evidence = M: Go 1.26 and koa on Node.js 20, a body in chunks without keep-alive; http_minimal. Node.js 20 without a length; http_small_servers
sig   = 1:Content-Type,Date,Connection=[close],?Transfer-Encoding:Content-Length,Keep-Alive,Accept-Ranges,Server,X-Powered-By:

label = g:!:Node.js:http, also with koa
sys   = @unix,@win
evidence = M: Node.js 20, with keep-alive; http_servers
sig   = 1:Date,Connection=[keep-alive],Keep-Alive=[timeout=5],?Content-Length:Content-Type,Accept-Ranges,Server:

label = g:!:Node.js or another server:
sys   = @unix,@win
evidence = M: Node.js 20, without keep-alive; http_servers
sig   = 1:Date,Connection=[close],?Content-Length:Content-Type,Content-type,content-type,Keep-Alive,Accept-Ranges,Server:
evidence = M: Node.js 20, without keep-alive, where the program does not tell the length; http_small_servers
sig   = 1:Content-Type,Date,Connection=[close],Content-Length:Keep-Alive,Accept-Ranges,Server,X-Powered-By:
sig   = 1:content-type,Date,Connection=[close],?Content-Length:Content-Type,Keep-Alive,Accept-Ranges,Server,X-Powered-By:
evidence = M: Node.js 20, to a request without Host; http_small_servers
sig   = 1:Connection=[close],Date,Transfer-Encoding=[chunked]:Content-Type,Keep-Alive,Accept-Ranges,Server:

; Servers of other languages.
label = g:!:Unicorn or another server:
sys   = @unix
evidence = M: Unicorn 6.0 with Rack 2.2, a program whose fields are in lower case; http_small_servers
sig   = 1:Date,Connection=[close],content-type:Content-Type,Keep-Alive,Accept-Ranges,Server:

label = g:!:Go net/http or another server:
sys   = @unix,@win
evidence = M: Go 1.26, a handler; http_servers
sig   = *:Date,Content-Length,Content-Type,?Connection:Keep-Alive,Accept-Ranges,Server:
evidence = M: Go 1.26, gin 1.12.0 and echo 4.16.0, which tell the type; http_minimal
sig   = *:Content-Type,Date,Content-Length,?Connection:Keep-Alive,Accept-Ranges,Server:

label = g:!:Go net/http:
sys   = @unix,@win
evidence = M: Go 1.26, a file; http_servers
sig   = *:Accept-Ranges=[bytes],?Content-Length,Content-Type,?Last-Modified,Date,?Connection:Keep-Alive,Server,ETag,Etag:
evidence = M: Go 1.26, an error; http_servers
sig   = *:Content-Type,X-Content-Type-Options=[nosniff],Date,?Content-Length,?Connection:Keep-Alive,Accept-Ranges,Server:

label = g:!:fasthttp:as a server
sys   = @unix,@win
evidence = M: fasthttp 1.58.0; http_frameworks
sig   = *:Server=[fasthttp],Date,?Content-Type,?Content-Length,?Location,?Connection:Keep-Alive,Accept-Ranges:

label = g:!:Tomcat:
sys   = @unix,@win
evidence = M: Tomcat 10.1.34, an error; http_more
sig   = 1:Content-Type,Content-Language,Content-Length,Date:Connection,Keep-Alive,Accept-Ranges,Server:

label = g:!:Tomcat or another server:
sys   = @unix,@win
evidence = M: Tomcat 10.1.34, a body in chunks, with and without keep-alive; http_minimal
sig   = 1:Content-Type,?Content-Language,Transfer-Encoding=[chunked],Date,?Connection=[close]:Content-Length,Keep-Alive,Accept-Ranges,Server:

label = g:!:gevent or Tomcat or another server:
sys   = @unix,@win
evidence = M: gevent 26.9.0 and Tomcat 10.1.34; http_minimal and http_more
sig   = 1:Content-Type,Content-Length,Date:Connection,Keep-Alive,Accept-Ranges,Server:

; Kestrel of ASP.NET Core, which could not be recorded (`A`: published elsewhere, not verified), writes the date behind the type
; since version 5 and before it until then, and is told not to name itself by many.
label = g:!:Go net/http or Kestrel or another server:
sys   = @unix,@win
evidence = M: Go 1.26, a body in chunks with a field behind it; http_answers
sig   = *:Date,Content-Type,?Connection:Content-Length,Keep-Alive,Accept-Ranges,Server:

label = g:!:gevent or Go net/http or Kestrel or another server:
sys   = @unix,@win
evidence = M: gevent 26.9.0 and Go 1.26, a body in chunks; http_minimal
sig   = 1:Content-Type,Date,Transfer-Encoding=[chunked]:Content-Length,Connection,Keep-Alive,Accept-Ranges,Server:

label = g:!:Jetty:
sys   = @unix,@win
evidence = M: Jetty 12.0.16; http_more
sig   = 1:Server=[Jetty],Date,?Cache-Control,Content-Type,?Content-Length,?Connection:Keep-Alive,Accept-Ranges:

; Netty writes what a program sets, under the names that it has for fields.
label = g:!:Netty or another server:with names in lower case
sys   = @unix,@win
evidence = M: Netty 4.1.121; http_libraries
sig   = 1:content-type,content-length,?connection:Content-Type,Content-Length,Connection,Keep-Alive,Date,date,Server,server:

label = g:!:Undertow or another server:
sys   = @unix,@win
evidence = M: Undertow 2.3.18, a handler; http_more
sig   = *:Connection=[keep-alive],Content-Type,?Content-Length,Date:Keep-Alive,Accept-Ranges,Server:
evidence = M: Undertow 2.3.18, an error; http_more
sig   = *:Connection=[keep-alive],Content-Length,Date:Content-Type,Keep-Alive,Accept-Ranges,Server:

; waitress told not to name itself; Kestrel as above.
label = g:!:Undertow or waitress or Kestrel or another server:
sys   = @unix,@win
evidence = M: waitress 3.0.2, without keep-alive; http_answers
sig   = *:Connection=[close],Content-Type,Date:Content-Length,Keep-Alive,Accept-Ranges,Server:

label = g:!:Undertow or waitress or another server:
sys   = @unix,@win
evidence = M: Undertow 2.3.18, a handler, without keep-alive; http_more
sig   = *:Connection=[close],Content-Type,Content-Length,Date:Keep-Alive,Accept-Ranges,Server:
evidence = M: Undertow 2.3.18, an error, and waitress 3.0.2, a redirection, without keep-alive; http_more and http_answers
sig   = *:Connection=[close],Content-Length,Date:Content-Type,Keep-Alive,Accept-Ranges,Server:

label = g:!:Java HttpServer:of the package com.sun.net.httpserver
sys   = @unix,@win
evidence = M: Java 17.0.15; http_servers
sig   = 1:?Connection,Date,Content-length:Content-Type,Keep-Alive,Accept-Ranges,Server:

; Servers of Rust and Ruby. What is over HTTP/1 in Rust is mostly hyper, which writes the date last.
; HAProxy writes the names of fields in lower case, whatever server is behind it.
label = g:!:hyper or HAProxy:a server built on hyper, for one axum, or another behind HAProxy
sys   = @unix,@win
evidence = M: hyper 1.12.0, axum 0.8.9, an error of actix-web 4.18.1, and gevent 26.9.0 behind HAProxy 2.6; http_libraries and http_answers
sig   = *:?location,?allow,?connection,content-length,date:content-type,Content-Type,Connection,Date,Server,server:
evidence = M: axum 0.8.9, and gevent 26.9.0 behind HAProxy 2.6; http_libraries and http_answers
sig   = *:content-type,content-length,?connection,date:Content-Type,Connection,Date,Server,server:

label = g:!:actix-web or HAProxy:or another server behind HAProxy
sys   = @unix,@win
evidence = M: actix-web 4.18.1, and waitress 3.0.2 behind HAProxy 2.6; http_libraries and http_answers
sig   = *:content-length,?connection,content-type,date:Content-Type,Connection,Date,Server,server:

label = g:!:actix-web:
sys   = @unix,@win
evidence = M: actix-web 4.18.1, a redirection; http_libraries
sig   = *:content-length,?connection,location,date:content-type,Content-Type,Connection,Date,Server,server:
evidence = M: actix-web 4.18.1, an error without keep-alive; http_libraries
sig   = 1:content-length=[0],connection=[close],date:content-type,Content-Type,Connection,Date,Server,server:

label = s:!:WEBrick:
sys   = @unix,@win
evidence = M: WEBrick 1.8.1 of Ruby 3.1, a file; http_libraries
sig   = 1:Etag,Content-Type,?Content-Length,?Last-Modified,Server=[WEBrick/],Date,Connection:Keep-Alive,Accept-Ranges:

label = s:!:WEBrick:
sys   = @unix,@win
evidence = M: WEBrick 1.8.1 of Ruby 3.1, an error; http_libraries
sig   = 1:Content-Type,Server=[WEBrick/],Date,?Content-Length,Connection:Keep-Alive,Accept-Ranges:
evidence = M: WEBrick 1.8.1 of Ruby 3.1, a redirection; http_libraries
sig   = 1:Location,Server=[WEBrick/],Date,?Content-Length,Connection:Content-Type,Keep-Alive,Accept-Ranges:

; Programs that this project could not record (`A`: published elsewhere, not verified), asked for their own name as well.
label = g:!:IIS:
sys   = @win
evidence = A: the order of IIS 10
sig   = *:Content-Type,?Last-Modified,?Accept-Ranges,?ETag,Server=[Microsoft-IIS/],?X-Powered-By,Date,?Content-Length::

label = s:!:Cloudflare:in front of another server
sys   = @unix,@win,@other
evidence = A: the order of the edge, with its two last fields either way round
sig   = *:Date,Content-Type,CF-RAY,Server=[cloudflare]::
sig   = *:Date,Content-Type,Server=[cloudflare],CF-RAY::
