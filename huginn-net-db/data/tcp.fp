; TCP signatures that come with huginn-net, in the format of docs/signatures.md.
;
; Every signature is a fact, written down for this project; no other project's file is copied. `evidence` tells where
; the fact comes from, by these letters:
;
;   M  measured by this project; the captures are in pcaps/real
;   K  follows from the source of the Linux kernel
;   P  p0f.fp of p0f 3.09b
;   S  Satori's tcp.xml of July 2024
;   N  nmap-os-db of nmap 7.93, which describes the SYN+ACK that answers a fixed probe
;   J  the mapping of JA4+ fingerprints to applications that FoxIO publishes
;   D  the TCP fingerprint table of nDPI
;   G  the p0f3-database of peace-maker
;   Z  a field sample of November 2025, SYNs labelled by the User-Agent that followed
;   A  published elsewhere, not verified
;
; "published" stands where nobody has yet captured the system for this project.
;
; Where systems cannot be told apart by one packet, one label names them all.
; Linux has numbered its IPv6 flows by default since 4.2; its signatures therefore come in pairs, for IPv4 and for
; IPv6. An MSS that was lowered on the path, timestamps that were overwritten with NOPs, a cleared DF and a set ECN
; field need no signatures of their own: matching knows them.

classes = win,unix,other

[x-tcp:request]

; Linux. The window is as many segments as fit the default receive buffer; its size, and the scale that the largest
; receive buffer asks for, change from version to version.
; These come first, for the windows by buffer size below would fit them too.
label = s:unix:Linux:3.x to 4.19 over loopback, or a default receive buffer of 87380 bytes
evidence = K: published
sig   = 4:64:0:65495:43690,*:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:65476:43690,*:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:65476:43690,*:mss,sok,ts,nop,ws::0

label = s:unix:Linux:2.6 or 3.x over loopback
evidence = P: the scales 2 and 4; K: the scale 7; published
sig   = 4:64:0:16396:mss*2,2:mss,sok,ts,nop,ws:df,id+:0
sig   = 4:64:0:16396:mss*2,4:mss,sok,ts,nop,ws:df,id+:0
sig   = 4:64:0:16396:mss*2,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:16376:mss*2,2:mss,sok,ts,nop,ws::0
sig   = 6:64:0:16376:mss*2,4:mss,sok,ts,nop,ws::0
sig   = 6:64:0:16376:mss*2,7:mss,sok,ts,nop,ws::0

label = s:unix:Linux:2.4 over loopback
evidence = P: published
sig   = 4:64:0:16396:mss*2,0:mss,sok,ts,nop,ws:df,id+:0

; Also behind an MSS that the path has lowered, which the window gives away: matching compares it with the one named here.
label = s:unix:Linux:3.10 to 4.19, 6.6 to 6.9 or a default receive buffer of 64 KiB, with jumbo frames
evidence = K: all come to three segments, whatever the options; published
sig   = 4:64:0:8960:mss*3,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*3,7:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8940:mss*3,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:8960:mss*3,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*3,10:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8940:mss*3,10:mss,sok,ts,nop,ws::0
sig   = 4:64:0:8960:mss*3,7:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:8960:mss*3,7:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:8960:mss*3,7:mss,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,ws:flow:0
sig   = 6:64:0:8940:mss*3,7:mss,nop,ws::0
sig   = 4:64:0:8961:mss*3,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*3,7:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8941:mss*3,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:8961:mss*3,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*3,10:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8941:mss*3,10:mss,sok,ts,nop,ws::0
sig   = 4:64:0:8961:mss*3,7:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:8961:mss*3,7:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:8961:mss*3,7:mss,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,ws:flow:0
sig   = 6:64:0:8941:mss*3,7:mss,nop,ws::0
sig   = 4:64:0:8960:mss*3,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:8940:mss*3,0:mss,sok,ts:flow:0
sig   = 6:64:0:8940:mss*3,0:mss,sok,ts::0
sig   = 4:64:0:8960:mss*3,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:8940:mss*3,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:8940:mss*3,0:mss,nop,nop,ts::0
sig   = 4:64:0:8960:mss*3,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:8940:mss*3,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:8940:mss*3,0:mss,nop,nop,sok::0
sig   = 4:64:0:8960:mss*3,0:mss:df,id+:0
sig   = 6:64:0:8940:mss*3,0:mss:flow:0
sig   = 6:64:0:8940:mss*3,0:mss::0
sig   = 4:64:0:8961:mss*3,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:8941:mss*3,0:mss,sok,ts:flow:0
sig   = 6:64:0:8941:mss*3,0:mss,sok,ts::0
sig   = 4:64:0:8961:mss*3,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:8941:mss*3,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:8941:mss*3,0:mss,nop,nop,ts::0
sig   = 4:64:0:8961:mss*3,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:8941:mss*3,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:8941:mss*3,0:mss,nop,nop,sok::0
sig   = 4:64:0:8961:mss*3,0:mss:df,id+:0
sig   = 6:64:0:8941:mss*3,0:mss:flow:0
sig   = 6:64:0:8941:mss*3,0:mss::0

label = s:unix:Linux:2.4, 2.6 or a default receive buffer of 87380 bytes, with jumbo frames
evidence = P, K: both come to four segments; published
sig   = 4:64:0:8960:mss*4,*:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8940:mss*4,*:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8940:mss*4,*:mss,sok,ts,nop,ws::0
sig   = 4:64:0:8961:mss*4,*:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:8941:mss*4,*:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:8941:mss*4,*:mss,sok,ts,nop,ws::0

label = s:unix:Linux:6.16 or newer, or older with a larger limit of the receive buffer
evidence = M: 6.18.44 with the limit of 32 MiB that it has, also without timestamps, SACK or path MTU discovery, with ECN, AccECN, MPTCP and TFO of both option kinds
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws:df,id+,ecn:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws:ecn,flow:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws:ecn:0
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,10:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,10:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,10:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:*:fill65536,10:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,10:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,10:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,10:mss,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,10:mss,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,10:mss,nop,ws::0
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?30:df,id+:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?30:flow:0
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?30::0
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?34,nop,nop:df,id+:*
sig   = 4:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?254:df,id+:*
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?34,nop,nop:flow:*
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?254:flow:*
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?34,nop,nop::*
sig   = 6:64:0:*:fill65536,10:mss,sok,ts,nop,ws,?254::*

label = s:unix:Linux:4.20 to 6.5 or 6.10 to 6.15, or newer with a smaller limit of the receive buffer
evidence = S, Z, J, G, D, K: published; M: 6.18.44 with limits up to 8 MiB, which it sets itself with 1 GiB of memory
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws:df,id+,ecn:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws:ecn,flow:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws:ecn:0
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,7:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,7:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,7:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:*:fill65536,7:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,7:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,7:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:*:fill65536,7:mss,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,7:mss,nop,ws:flow:0
sig   = 6:64:0:*:fill65536,7:mss,nop,ws::0
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?30:df,id+:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?30:flow:0
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?30::0
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?34,nop,nop:df,id+:*
sig   = 4:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?254:df,id+:*
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?34,nop,nop:flow:*
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?254:flow:*
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?34,nop,nop::*
sig   = 6:64:0:*:fill65536,7:mss,sok,ts,nop,ws,?254::*

; With an MSS of 1460 a buffer of 65536 bytes gives the window of these versions, 32120, too.
label = s:unix:Linux:6.6 to 6.9, or a default receive buffer of 64 KiB
evidence = S, K: published; M: 6.18.44 with tcp_rmem 65536
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws:df,id+,ecn:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws:ecn,flow:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws:ecn:0
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:fill33280,7:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:fill33280,7:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:*:fill33280,7:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:*:fill33280,7:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill33280,7:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:*:fill33280,7:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:*:fill33280,7:mss,nop,ws:df,id+:0
sig   = 6:64:0:*:fill33280,7:mss,nop,ws:flow:0
sig   = 6:64:0:*:fill33280,7:mss,nop,ws::0
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?30:df,id+:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?30:flow:0
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?30::0
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?34,nop,nop:df,id+:*
sig   = 4:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?254:df,id+:*
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?34,nop,nop:flow:*
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?254:flow:*
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?34,nop,nop::*
sig   = 6:64:0:*:fill33280,7:mss,sok,ts,nop,ws,?254::*

label = s:unix:Linux:(default receive buffer of 64 KiB)
evidence = M: 6.18.44 with tcp_rmem 65536; K: before 4.20 with a larger initial window
sig   = 4:64:0:*:fill32768,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill32768,7:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill32768,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill32768,10:mss,sok,ts,nop,ws:flow:0

; Before the next, which an MSS of 8738 to 10922 makes four segments too.
label = s:unix:Linux:2.4 or 2.6, or a changed receive buffer or initial window
evidence = P, S: published; K: the other causes
sig   = *:64:0:*:mss*4,*:mss,sok,ts,nop,ws:df,id+:0
sig   = *:64:0:*:mss*4,*:mss,nop,nop,sok,nop,ws:df,id+:0

; Also before 4.20 where a route or Android asks for a larger initial window (initrwnd, tcp_default_init_rwnd): it is then
; what the buffer holds.
label = s:unix:Linux:(default receive buffer of 87380 bytes)
evidence = M: 6.18.44 with tcp_rmem 87380; K: before 4.20; S, Z: Roku and some Android, published
sig   = 4:64:0:*:fill43690,5:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,5:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill43690,6:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,6:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill43690,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,7:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill43690,8:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,8:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill43690,9:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,9:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill43690,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill43690,10:mss,sok,ts,nop,ws:flow:0

label = s:unix:Linux:(default receive buffer of 16 KiB)
evidence = M: 6.18.44 with tcp_rmem 16384; K: so few segments also before 4.20
sig   = 4:64:0:*:fill8192,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill8192,7:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill8192,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill8192,10:mss,sok,ts,nop,ws:flow:0

label = s:unix:Linux:4.20 or newer, other limit of the receive buffer
evidence = M: 6.18.44 with tcp_rmem up to 16 and 64 MiB; K: the other scales
sig   = 4:64:0:*:fill65536,2:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,2:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,3:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,3:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,4:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,4:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,5:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,5:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,6:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,6:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,8:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,8:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,9:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,9:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,11:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,11:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,12:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,12:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,13:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,13:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,14:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,14:mss,sok,ts,nop,ws:flow:0

label = s:unix:Linux:4.20 or newer, window scaling off
evidence = M: 6.18.44
sig   = 4:64:0:*:fill65536,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:*:fill65536,0:mss,sok,ts:flow:0
sig   = 6:64:0:*:fill65536,0:mss,sok,ts::0
sig   = 4:64:0:*:fill65536,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:*:fill65536,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:*:fill65536,0:mss,nop,nop,ts::0
sig   = 4:64:0:*:fill65536,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:*:fill65536,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:*:fill65536,0:mss,nop,nop,sok::0
sig   = 4:64:0:*:fill65536,0:mss:df,id+:0
sig   = 6:64:0:*:fill65536,0:mss:flow:0
sig   = 6:64:0:*:fill65536,0:mss::0

label = s:unix:Linux:6.6 to 6.9, or a default receive buffer of 64 KiB, window scaling off
evidence = K: published; M: 6.18.44 with tcp_rmem 65536
sig   = 4:64:0:*:fill33280,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:*:fill33280,0:mss,sok,ts:flow:0
sig   = 6:64:0:*:fill33280,0:mss,sok,ts::0
sig   = 4:64:0:*:fill33280,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:*:fill33280,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:*:fill33280,0:mss,nop,nop,ts::0
sig   = 4:64:0:*:fill33280,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:*:fill33280,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:*:fill33280,0:mss,nop,nop,sok::0
sig   = 4:64:0:*:fill33280,0:mss:df,id+:0
sig   = 6:64:0:*:fill33280,0:mss:flow:0
sig   = 6:64:0:*:fill33280,0:mss::0

label = s:unix:Linux:3.10 to 4.19, or a changed receive buffer or initial window, window scaling off
evidence = K: published
sig   = 4:64:0:*:mss*20,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:*:mss*20,0:mss,sok,ts:flow:0
sig   = 6:64:0:*:mss*20,0:mss,sok,ts::0
sig   = 4:64:0:*:mss*20,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:*:mss*20,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:*:mss*20,0:mss,nop,nop,ts::0
sig   = 4:64:0:*:mss*20,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:*:mss*20,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:*:mss*20,0:mss,nop,nop,sok::0
sig   = 4:64:0:*:mss*20,0:mss:df,id+:0
sig   = 6:64:0:*:mss*20,0:mss:flow:0
sig   = 6:64:0:*:mss*20,0:mss::0

label = s:unix:Linux:window scaling off, receive buffer of 128 KiB or more
evidence = K: published; M: 6.18.44 with tcp_rmem 262144, scaling on
sig   = 4:64:0:*:65535,0:mss,sok,ts:df,id+:0
sig   = 6:64:0:*:65535,0:mss,sok,ts:flow:0
sig   = 4:64:0:*:65535,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:*:65535,0:mss,nop,nop,ts:flow:0
sig   = 4:64:0:*:65535,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:*:65535,0:mss,nop,nop,sok:flow:0
sig   = 4:64:0:*:65535,0:mss:df,id+:0
sig   = 6:64:0:*:65535,0:mss:flow:0

; SO_RCVBUF fixes the buffer, whatever the version is. p0f.fp takes these for Linux 2.2 or Android.
label = s:unix:Linux:(receive buffer set by the application)
evidence = M: 6.18.44 with SO_RCVBUF from 4 KiB to 1 MiB
sig   = 4:64:0:*:mss*10,0:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*10,0:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:mss*20,0:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill4096,0:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill4096,0:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill8192,0:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill8192,0:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill16384,0:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill16384,0:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill32768,0:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill32768,0:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:fill65536,1:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:fill65536,1:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,1:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,1:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,2:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,2:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,3:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,3:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,4:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,4:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,5:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,5:mss,sok,ts,nop,ws:flow:0

label = s:unix:Linux:(Android, or a receive buffer of 128 KiB or more)
evidence = Z, S, D: Android 7 to 15, published; M: 6.18.44 with tcp_rmem 262144 and 524288
sig   = 4:64:0:*:65535,6:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,6:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,7:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,7:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,8:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,8:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,9:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,9:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,10:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,10:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,11:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,11:mss,sok,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,12:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,12:mss,sok,ts,nop,ws:flow:0
evidence = K: the same without timestamps or SACK; published
sig   = 4:64:0:*:65535,6:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,6:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,7:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,7:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,8:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,8:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,9:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,9:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,10:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,10:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,11:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,11:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,12:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,12:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:65535,6:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,6:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,7:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,7:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,8:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,8:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,9:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,9:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,10:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,10:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,11:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,11:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:65535,12:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:65535,12:mss,nop,nop,ts,nop,ws:flow:0

label = s:unix:Linux:2.2, or a receive buffer set by the application
evidence = P: published
sig   = *:64:0:*:mss*20,0:mss,sok,ts,nop,ws:df,id+:0

; gVisor orders its options as Linux does, but neither sets DF nor numbers its IPv6 flows. Its window is 20 segments,
; rounded down to what the scale can say; with an MSS of 1440 there is nothing to round.
label = s:other:gVisor:(sandboxes, and programs that end a VPN without the kernel)
evidence = M: version 20250205 of the network stack, with SACK on
sig   = 4:64:0:1460:29184,7:mss,sok,ts,nop,ws::0

label = s:unix:Linux:3.10 to 4.19, or gVisor
evidence = M: version 20250205 of gVisor; P, S, Z, J: Linux, published
sig   = 6:64:0:1440:28800,7:mss,sok,ts,nop,ws::0

; From 3.11 on, and 3.10 of RHEL 7; those of RHEL open with more segments than others of their number.
label = s:unix:Linux:3.10 to 4.19, or a changed receive buffer or initial window
evidence = P, S, Z, J: published; M: 6.18.44 with tcp_rmem 60000, and with initrwnd 20
sig   = 4:64:0:*:mss*20,*:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*20,*:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:mss*20,*:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:mss*20,*:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*20,*:mss,nop,nop,sok,nop,ws:flow:0
sig   = 6:64:0:*:mss*20,*:mss,nop,nop,sok,nop,ws::0
sig   = 4:64:0:*:mss*20,*:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*20,*:mss,nop,nop,ts,nop,ws:flow:0
sig   = 6:64:0:*:mss*20,*:mss,nop,nop,ts,nop,ws::0
sig   = 4:64:0:*:mss*20,*:mss,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*20,*:mss,nop,ws:flow:0
sig   = 6:64:0:*:mss*20,*:mss,nop,ws::0

label = s:unix:Linux:2.6.32 to 3.10, or a changed receive buffer or initial window
evidence = P, S: published; A: 2.6.32 of RHEL 6; K: 2.6.39; M: 6.18.44 with initrwnd 10
sig   = *:64:0:*:mss*10,*:mss,sok,ts,nop,ws:df,id+:0
sig   = *:64:0:*:mss*10,*:mss,nop,nop,sok,nop,ws:df,id+:0

label = g:unix:Linux:
evidence = M, P, S, Z: the order of the options that all versions since 2.2 share
sig   = 4:64:0:*:*,*:mss,sok,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws:flow:0
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws::0
sig   = 4:64:0:*:*,*:mss,nop,nop,sok,nop,ws:df,id+:0
sig   = 6:64:0:*:*,*:mss,nop,nop,sok,nop,ws:flow:0
sig   = 4:64:0:*:*,*:mss,nop,nop,ts,nop,ws:df,id+:0
sig   = 6:64:0:*:*,*:mss,nop,nop,ts,nop,ws:flow:0
sig   = 4:64:0:*:*,*:mss,sok,ts:df,id+:0
sig   = 6:64:0:*:*,*:mss,sok,ts:flow:0
sig   = 4:64:0:*:*,*:mss,sok,ts,nop,ws,?30:df,id+:0
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?30:flow:0
sig   = 4:64:0:*:*,*:mss,sok,ts,nop,ws,?34,nop,nop:df,id+:*
sig   = 4:64:0:*:*,*:mss,sok,ts,nop,ws,?254:df,id+:*
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?34,nop,nop:flow:*
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?254:flow:*
sig   = 6:64:0:*:*,*:mss,nop,nop,sok,nop,ws::0
sig   = 6:64:0:*:*,*:mss,nop,nop,ts,nop,ws::0
sig   = 6:64:0:*:*,*:mss,sok,ts::0
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?30::0
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?34,nop,nop::*
sig   = 6:64:0:*:*,*:mss,sok,ts,nop,ws,?254::*

label = g:unix:Linux:or another Unix
evidence = M, A: few options, which many stacks put in this order; published
sig   = 4:64:0:*:*,*:mss,nop,ws:df,id+:0
sig   = 6:64:0:*:*,*:mss,nop,ws:flow:0
sig   = 6:64:0:*:*,*:mss,nop,ws::0
sig   = 4:64:0:*:*,0:mss,nop,nop,sok:df,id+:0
sig   = 6:64:0:*:*,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:*:*,0:mss,nop,nop,sok::0
sig   = 4:64:0:*:*,0:mss,nop,nop,ts:df,id+:0
sig   = 6:64:0:*:*,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:*:*,0:mss,nop,nop,ts::0
sig   = 4:64:0:*:*,0:mss:df,id+:0
sig   = 6:64:0:*:*,0:mss:flow:0

; Windows. Since 1703 the window is as many segments as fit 65535 bytes; 10, 11 and the servers
; since 2019 cannot be told apart. All of 65535 is also what an application may set on any version, so it comes first,
; for an MSS that divides it.
label = s:win:Windows:Vista or newer, or Server 2008 or newer
evidence = S: 10 and Server 2016; A: 7 or 8.1, before there was 10; published
sig   = *:128:0:*:65535,8:mss,nop,ws,nop,nop,sok:df,id+:0
sig   = *:128:0:*:65535,8:mss,nop,ws,nop,nop,sok:df,id+,ecn:0
evidence = A: with an IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:128:0:*:65535,8:mss,nop,ws,nop,nop,sok:flow:0
sig   = 6:128:0:*:65535,8:mss,nop,ws,nop,nop,sok:ecn,flow:0

label = s:win:Windows:10 or 11, or Server 2019 or newer
evidence = S, Z, J, D, G: 10 from 1703 on, 11, Server 2019 to 2025; published
sig   = *:128:0:*:fill65535,8:mss,nop,ws,nop,nop,sok:df,id+:0
sig   = *:128:0:*:fill65535,8:mss,nop,ws,nop,nop,sok:df,id+,ecn:0
evidence = A: with an IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:128:0:*:fill65535,8:mss,nop,ws,nop,nop,sok:flow:0
sig   = 6:128:0:*:fill65535,8:mss,nop,ws,nop,nop,sok:ecn,flow:0

label = s:win:Windows:10 before 1703, or Server 2016
evidence = S: published
sig   = *:128:0:*:65535,3:mss,nop,ws,nop,nop,sok:df,id+:0
sig   = *:128:0:*:8192,3:mss,nop,ws,nop,nop,sok:df,id+:0

label = s:win:Windows:Vista to 10 before 1703, or Server 2008 to 2016
evidence = P, S: from 7 on; A: Vista and Server 2008, whose stack is the same; published
sig   = *:128:0:*:8192,8:mss,nop,ws,nop,nop,sok:df,id+:0

label = s:win:Windows:Vista to 8.1, or Server 2008 to 2012 R2
evidence = P, S: from 7 on; A: Vista and Server 2008, whose stack is the same; published
sig   = *:128:0:*:8192,2:mss,nop,ws,nop,nop,sok:df,id+:0

label = s:win:Windows:10 or 11, or Server 2019 or newer, timestamps on
evidence = S, Z: published
sig   = *:128:0:*:fill65535,8:mss,nop,ws,sok,ts:df,id+:0
sig   = *:128:0:*:fill65535,2:mss,nop,ws,sok,ts:df,id+:0

label = s:win:Windows:Vista to 10 before 1703, or Server 2008 to 2016, timestamps on
evidence = S, Z: from 7 on; A: Vista and Server 2008, whose stack is the same; published
sig   = *:128:0:*:8192,8:mss,nop,ws,sok,ts:df,id+:0
sig   = *:128:0:*:8192,2:mss,nop,ws,sok,ts:df,id+:0

label = s:win:Windows:2000 to Server 2003, or 10 or newer with window scaling off
evidence = S, Z: 10 and newer; A: 2000 and XP open with 44 segments of 1460 bytes, too; published
sig   = *:128:0:*:fill65535,0:mss,nop,nop,sok:df,id+:0

label = s:win:Windows:XP, Server 2003, or newer with window scaling off
evidence = P: XP; S, Z: 10 and 11; A: what an application may set; published
sig   = *:128:0:*:65535,0:mss,nop,nop,sok:df,id+:0

label = s:win:Windows:10 before 1703 or older, or Server 2016 or older, window scaling off
evidence = S, Z: from 7 on; A: older ones, which do not scale; published
sig   = *:128:0:*:8192,0:mss,nop,nop,sok:df,id+:0

label = s:win:Windows:(Xbox One or Series)
evidence = S, Z: published
sig   = *:128:0:*:65518,8:mss,nop,ws,nop,nop,sok:df,id+:0

label = g:win:Windows:
evidence = P, S, Z: the order of the options that all versions since XP share; published
sig   = *:128:0:*:*,*:mss,nop,ws,nop,nop,sok:df,id+:0
sig   = *:128:0:*:*,2:mss,nop,ws,sok,ts:df,id+:0
sig   = *:128:0:*:*,8:mss,nop,ws,sok,ts:df,id+:0
sig   = *:128:0:*:*,*:mss,nop,nop,sok:df,id+:0

; Apple. macOS, iOS, iPadOS and tvOS share one stack.
; The scale follows from the receive buffer and tells no version: one phone sends 6 and 7. The identification does, as
; Apple left it out from 10.13 and iOS 11 on.
label = s:unix:Apple:macOS 10.13 or newer, or iOS 11 or newer
evidence = P, S, Z, J, N: published
sig   = 4:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = 4:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:df,ecn:0
sig   = 4:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = 4:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:df,ecn:0
sig   = 4:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = 4:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1:df,ecn:0
sig   = 4:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = 4:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:df,ecn:0

label = s:unix:Apple:macOS 10.12 or older, or iOS 10 or older
evidence = P, S, N: from 10.9 on; A: iOS 10 and 10.8; published
sig   = 4:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:df,id+:0
sig   = 4:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:df,id+:0

; IPv6 has no identification by which to tell these.
label = s:unix:Apple:macOS or iOS
evidence = P, S, Z, J, N: published
sig   = 6:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1::0
sig   = 6:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn:0
sig   = 6:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1::0
sig   = 6:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn:0
sig   = 6:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1::0
sig   = 6:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn:0
sig   = 6:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1::0
sig   = 6:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn:0
evidence = A: with an IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:flow:0
sig   = 6:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn,flow:0
sig   = 6:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:flow:0
sig   = 6:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn,flow:0
sig   = 6:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1:flow:0
sig   = 6:64:0:*:65535,7:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn,flow:0
sig   = 6:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:flow:0
sig   = 6:64:0:*:65535,4:mss,nop,ws,nop,nop,ts,sok,eol+1:ecn,flow:0

label = s:unix:Apple:watchOS, or iOS saving power
evidence = S: published
sig   = *:64:0:*:10240,3:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0

label = s:unix:Apple:macOS or iOS, timestamps off
evidence = Z: published
sig   = 4:64:0:*:65535,6:mss,nop,ws,sok,eol+1:df:0
sig   = 4:64:0:*:65535,5:mss,nop,ws,sok,eol+1:df:0

; Without the identification of IPv4 these are alike.
label = s:unix:Apple or FreeBSD:or F5, timestamps off
evidence = Z, P: published
sig   = 6:64:0:*:65535,6:mss,nop,ws,sok,eol+1::0
sig   = 6:64:0:*:65535,6:mss,nop,ws,sok,eol+1:flow:0
sig   = 6:64:0:*:65535,5:mss,nop,ws,sok,eol+1::0
sig   = 6:64:0:*:65535,5:mss,nop,ws,sok,eol+1:flow:0

label = g:unix:Apple:macOS or iOS
evidence = Z, S, N: the order of the options, which Junos alone shares; published
sig   = *:64:0:*:*,*:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = 4:64:0:*:*,*:mss,nop,ws,nop,nop,ts,sok,eol+1:df,id+:0

; Relays and proxies end the connection of their client, so that clients of every kind show these.
label = s:other:Relay or proxy:(serves clients of every kind)
evidence = Z: 399 distinct packets with six kinds of User-Agent; published
sig   = *:64:0:*:65535,12:mss,nop,ws,sok,ts:df:0
sig   = 4:64:0:*:65535,9:mss,nop,ws,sok,ts:df:0
sig   = *:64:0:*:mss*10,0:mss,nop,ws,sok,ts:df:0
sig   = *:64:0:*:mss*3,*:mss,nop,ws,sok,ts:df:0
sig   = *:64:0:*:65535,12:mss,nop,ws,sok,eol+1:df:0
sig   = *:64:0:*:65535,9:mss,nop,ws,sok,eol+1:df:0
sig   = *:64:0:*:mss*10,0:mss,nop,ws,sok,eol+1:df:0
sig   = *:64:0:*:mss*3,*:mss,nop,ws,sok,eol+1:df:0
sig   = *:255:0:*:65535,12:mss,nop,ws,sok,ts:df:0
sig   = 4:255:0:*:65535,9:mss,nop,ws,sok,ts:df:0
sig   = *:255:0:*:mss*10,0:mss,nop,ws,sok,ts:df:0
sig   = *:255:0:*:mss*3,*:mss,nop,ws,sok,ts:df:0
sig   = *:255:0:*:65535,12:mss,nop,ws,sok,eol+1:df:0
sig   = *:255:0:*:65535,9:mss,nop,ws,sok,eol+1:df:0
sig   = *:255:0:*:mss*10,0:mss,nop,ws,sok,eol+1:df:0
sig   = *:255:0:*:mss*3,*:mss,nop,ws,sok,eol+1:df:0

; BSD and what grew from it.
label = s:unix:FreeBSD:9 or newer, or PlayStation 4 or 5
evidence = P, N: also pfSense, OPNsense and TrueNAS; published
sig   = *:64:0:*:65535,6:mss,nop,ws,sok,ts:df,id+:0
evidence = A: with an IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:64:0:*:65535,6:mss,nop,ws,sok,ts:flow:0
evidence = P: the SYN+ACK has the same options; published
sig   = 4:64:0:*:65535,6:mss,nop,ws,sok,eol+1:df,id+:0

label = s:unix:FreeBSD:9 or newer, large socket buffers
evidence = P, N: published
sig   = *:64:0:*:65535,7:mss,nop,ws,sok,ts:df,id+:0
evidence = P: the SYN+ACK has the same options; published
sig   = 4:64:0:*:65535,7:mss,nop,ws,sok,eol+1:df,id+:0

label = s:unix:FreeBSD:9 or newer with large socket buffers, or VMware ESXi
evidence = P, S, N: published
sig   = 4:64:0:*:65535,9:mss,nop,ws,sok,ts:df,id+:0
evidence = P: the SYN+ACK has the same options; published
sig   = 4:64:0:*:65535,9:mss,nop,ws,sok,eol+1:df,id+:0

label = s:other:VMware ESXi:4 to 8
evidence = S, N: published
sig   = *:64:0:*:65535,4:mss,nop,ws,sok,ts:df,id+:0

label = g:unix:BSD:FreeBSD or one of its descendants
evidence = P, N: the order of the options; published
sig   = 4:64:0:*:65535,*:mss,nop,ws,sok,ts:df,id+:0
sig   = 4:64:0:*:65535,*:mss,nop,ws,sok,eol+1:df,id+:0

label = g:unix:BSD or relay:
evidence = P, N, Z: the order of the options, without the identification that tells BSD from relays; published
sig   = *:64:0:*:*,*:mss,nop,ws,sok,ts:df:0

label = s:unix:OpenBSD:6.1 or newer
evidence = N, P: published
sig   = *:64:0:*:16384,6:mss,nop,nop,sok,nop,ws,nop,nop,ts:df,id+:0
evidence = A: with an IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:64:0:*:16384,6:mss,nop,nop,sok,nop,ws,nop,nop,ts:flow:0

label = s:unix:OpenBSD:6.0 or older
evidence = N, P: published
sig   = *:64:0:*:16384,3:mss,nop,nop,sok,nop,ws,nop,nop,ts:df,id+:0

label = g:unix:OpenBSD:
evidence = N, P: the order of the options; published
sig   = *:64:0:*:*,*:mss,nop,nop,sok,nop,ws,nop,nop,ts:df,id+:0

label = s:unix:NetBSD:7 to 10, or AirPort, or QNX 7
evidence = N: published
sig   = *:64:0:*:32768,3:mss,nop,ws,nop,nop,ts,sok,nop,nop:df,id+:0

label = g:unix:NetBSD:or QNX
evidence = N: the order of the options; published
sig   = *:64:0:*:*,*:mss,nop,ws,nop,nop,ts,sok,nop,nop:df,id+:0

; Other general purpose systems.
label = s:unix:Solaris:10
evidence = P: published
sig   = *:64:0:*:mss*34,0:mss,nop,ws,nop,nop,sok:df,id+:0

; The order in which 2.6.27 alone writes its options. Above Solaris, which has the same.
label = s:unix:Linux:2.6.27
evidence = K: published
sig   = 4:64:0:*:mss*4,*:sok,ts,mss,nop,ws:df,id+:0
sig   = 6:64:0:*:mss*4,*:sok,ts,mss,nop,ws::0

label = s:unix:Solaris:11, or illumos
evidence = N: published
sig   = *:64:0:*:mss*44,1:sok,ts,mss,nop,ws:df,id+:0
sig   = *:64:0:*:mss*44,2:sok,ts,mss,nop,ws:df,id+:0
sig   = *:64:0:*:mss*44,3:sok,ts,mss,nop,ws:df,id+:0
sig   = *:64:0:*:mss*44,4:sok,ts,mss,nop,ws:df,id+:0
sig   = *:64:0:*:mss*44,5:sok,ts,mss,nop,ws:df,id+:0

label = g:unix:Solaris:11, or illumos, or Linux 2.6.27
evidence = N, K: the order of the options; published
sig   = *:64:0:*:*,*:sok,ts,mss,nop,ws:df,id+:0

label = s:unix:AIX:7
evidence = N: published
sig   = *:64:0:*:65535,1:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:*:65535,2:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:*:65535,3:mss,nop,ws,nop,nop,ts:df:0

label = s:other:Haiku:
evidence = N: published
sig   = *:255:0:*:65535,0:mss,nop,nop,ts,nop,ws::0

; Network equipment.
label = s:other:F5 BIG-IP:
evidence = S, N: published
sig   = *:255:0:*:mss*3,0:mss,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:mss*3,0:mss,sok,eol+1:df:0

label = s:other:Cisco IOS:or IOS-XE
evidence = N, S: published
sig   = *:255:0:*:4128,0:mss::0
sig   = *:255:0:*:4128,0:mss,sok,eol+1::0
sig   = *:255:0:*:4128,0:mss,sok,nop,nop,ts,eol+1::0

label = s:other:Cisco NX-OS:
evidence = N: published
sig   = *:64:0:*:17204,0:mss,nop,nop,ts::0

label = g:other:Cisco NX-OS:
evidence = N: other windows from 17204 on; published
sig   = 4:64:0:*:*,0:mss,nop,nop,ts::0

label = s:other:Junos:
evidence = N: published
sig   = *:64:0:*:16384,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:16384,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:16384,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:16384,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:65535,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:65535,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0

; Small devices.
label = s:other:Nintendo 3DS or Wii:
evidence = P, N: published
sig   = 4:64:0:1460:32768,0:mss,nop,nop,sok:df,id+:0
sig   = 4:64:0:1452:32768,0:mss,nop,nop,sok:df,id+:0
sig   = 4:64:0:*:8192,0:mss,nop,nop,sok:df,id+:0

; Every program chooses its own receive buffer, from which window and scale follow.
label = g:other:smoltcp:
evidence = M: 0.14.0 with receive buffers of 4096, 65535 and 262144 bytes, and with timestamps
sig   = *:64:0:*:*,*:mss,ws,sok,eol+2:df:0
sig   = *:64:0:*:*,*:mss,ws,sok,ts,eol+0:df:0

; The first packet of all has the identification 0.
label = s:other:lwIP:(with the settings of Debian)
evidence = M: 2.1.3
sig   = *:255:0:*:65535,1:mss,nop,ws::0
sig   = 4:255:0:*:65535,1:mss,nop,ws:id-:0

label = s:other:lwIP:(for example on ESP8266 or ESP32)
evidence = N, J: published
sig   = *:255:0:*:mss*4,0:mss::0
sig   = *:128:0:*:mss*4,0:mss::0

label = s:other:lwIP:(for example with FreeRTOS or in a controller)
evidence = N, J: published
sig   = 4:255:0:*:mss*2,0:mss::0
sig   = 4:255:0:*:2048,0:mss::0
sig   = 4:255:0:*:2144,0:mss::0
sig   = 4:255:0:*:8096,0:mss::0
sig   = 4:255:0:*:1500,0:mss::0
sig   = *:255:0:*:mss*4,*:mss,nop,ws::0
sig   = *:255:0:*:mss*2,*:mss,nop,ws::0

; Not for every MSS: the SYN of a port scanner with a window of 1024 would be one when its MSS is lowered to that.
label = s:other:uIP or Contiki:
evidence = N: published
sig   = 4:64:0:1460:mss*1,0:mss::0
sig   = 4:64:0:1452:mss*1,0:mss::0
sig   = 4:64:0:1240:mss*1,0:mss::0
sig   = 4:64:0:536:mss*1,0:mss::0

label = s:other:VxWorks:5 to 7
evidence = N: published
sig   = *:64:0:*:8192,0:mss,nop,ws::0
sig   = 4:64:0:*:8192,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:16384,0:mss,nop,ws::0
sig   = 4:64:0:*:16384,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:60000,0:mss,nop,ws::0
sig   = 4:64:0:*:60000,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:8192,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:8192,0:mss,nop,ws,nop,nop,ts:df,id+:0
sig   = *:64:0:*:16384,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:16384,0:mss,nop,ws,nop,nop,ts:df,id+:0
sig   = *:64:0:*:60000,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:60000,0:mss,nop,ws,nop,nop,ts:df,id+:0

label = s:other:ThreadX:or another small embedded stack
evidence = N, A: published
sig   = *:64:0:*:8192,0:mss::0
sig   = *:128:0:*:8192,0:mss::0

label = s:other:Printer:HP, Brother or Epson
evidence = N, S: published
sig   = *:64:0:*:mss*4,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:*:mss*4,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:*:mss*6,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:*:mss*6,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:1460:11680,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:1460:11680,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:1460:8688,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:1460:8688,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:*:mss*4,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:mss*4,0:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:*:mss*6,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:mss*6,0:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:1460:11680,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:1460:11680,0:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:1460:8688,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:1460:8688,0:mss,nop,ws,nop,nop,ts:df:0

label = g:other:Minimal stack:(embedded device or scanner)
evidence = N, A: no option but the MSS; published
sig   = *:64:0:*:*,0:mss::0
sig   = *:128:0:*:*,0:mss::0
sig   = *:255:0:*:*,0:mss::0

; Programs that build their packets themselves.
label = s:!:nmap:SYN scan
sys   = @unix,@win
evidence = M: nmap 7.93 with -sS; the TTL is random on IPv4
sig   = 4:64-:0:1460:1024,0:mss::0
sig   = 4:64-:0:1460:2048,0:mss::0
sig   = 4:64-:0:1460:3072,0:mss::0
sig   = 4:64-:0:1460:4096,0:mss::0
sig   = 6:255:0:1460:1024,0:mss::0
sig   = 6:255:0:1460:2048,0:mss::0
sig   = 6:255:0:1460:3072,0:mss::0
sig   = 6:255:0:1460:4096,0:mss::0

label = s:!:nmap:OS detection
sys   = @unix,@win
evidence = M: nmap 7.93 with -O; probes 1 to 6, the ECN probe, and those of the tests T2 to T7 that are SYNs
sig   = 4:64-:0:1460:1,10:ws,nop,mss,ts,sok:ack+:0
sig   = 4:64-:0:1400:63,0:mss,ws,sok,ts,eol+0:ack+:0
sig   = 4:64-:0:640:4,5:ts,nop,nop,ws,nop,mss:ack+:0
sig   = 4:64-:0:0:4,10:sok,ts,ws,eol+0:ack+:0
sig   = 4:64-:0:536:16,10:mss,sok,ts,ws,eol+0:ack+:0
sig   = 4:64-:0:265:512,0:mss,sok,ts:ack+:0
sig   = 4:64-:0:1460:3,10:ws,nop,mss,sok,nop,nop:ecn,uptr+:0
sig   = 4:64-:0:265:31337,10:ws,nop,mss,ts,sok:ack+:0
evidence = M: nmap 7.93 with -6 -O; the hop limit is random, too
sig   = 6:64-:0:1460:1,10:ws,nop,mss,ts,sok:flow,ack+:0
sig   = 6:64-:0:1400:63,0:mss,ws,sok,ts,eol+0:flow,ack+:0
sig   = 6:64-:0:640:4,5:ts,nop,nop,ws,nop,mss:flow,ack+:0
sig   = 6:64-:0:0:4,10:sok,ts,ws,eol+0:flow,ack+:0
sig   = 6:64-:0:536:16,10:mss,sok,ts,ws,eol+0:flow,ack+:0
sig   = 6:64-:0:265:512,0:mss,sok,ts:flow,ack+:0
sig   = 6:64-:0:1460:3,10:ws,nop,mss,sok,nop,nop:ecn,flow,uptr+:0
sig   = 6:64-:0:265:31337,10:ws,nop,mss,ts,sok:flow,ack+:0

; Above those whose windows it may happen to have.
label = s:!:Mirai:SYN scan, also of its descendants
sys   = @unix
evidence = A: each SYN to the address that is its sequence number, from a TTL of 64; published
sig   = 4:64:0:0:*,0:::0:seq_is_destination
evidence = A: descendants with another TTL; published
sig   = 4:255-:0:0:*,0:::0:seq_is_destination

label = s:!:masscan:SYN scan
sys   = @unix,@win
evidence = M: masscan 1.3
sig   = *:255:0:0:1024,0:::0

label = s:!:zmap:SYN scan
sys   = @unix,@win
evidence = M: zmap 2.1
sig   = *:255:0:0:65535,0:::0

label = s:!:hping3:SYN scan
sys   = @unix,@win
evidence = M: hping3 3.0, which sends a random acknowledgment number
sig   = *:64:0:0:512,0::ack+:0
sig   = 4:64:0:0:512,0::df,id+,ack+:0

[x-tcp:response]

; A server answers with those of its options that the client offered. Each family has the layouts of one stack, one for
; every choice of window scale, SACK and timestamps that a client can offer.
; Windows answers timestamps only where they are enabled. Linux answers MPTCP and TFO where the application wants it.
family = linux:mss:mss,nop,ws:mss,nop,nop,sok:mss,nop,nop,sok,nop,ws:mss,nop,nop,ts:mss,nop,nop,ts,nop,ws:mss,sok,ts:mss,sok,ts,nop,ws
family = linux_echo:mss,sok,ts,nop,ws,?30:mss,sok,ts,nop,ws,?34,nop,nop
family = windows,?ts:mss:mss,nop,ws:mss,nop,nop,sok:mss,nop,ws,nop,nop,sok:mss,nop,nop,ts:mss,nop,ws,nop,nop,ts:mss,sok,ts:mss,nop,ws,sok,ts
; smoltcp answers timestamps where the program asked for them, lwIP neither SACK nor timestamps by default.
family = smoltcp,?ts:mss:mss,ws,eol+0:mss,sok,eol+1:mss,ws,sok,eol+2:mss,ts,eol+1:mss,ws,ts,eol+2:mss,sok,ts:mss,ws,sok,ts,eol+0
family = lwip:mss:mss,nop,ws
family = bsd:mss:mss,nop,ws:mss,sok,eol+1:mss,nop,ws,sok,eol+1:mss,nop,nop,ts:mss,nop,ws,nop,nop,ts:mss,sok,ts:mss,nop,ws,sok,ts

; Linux. These come first, for the windows by buffer size below would fit them too.
label = s:unix:Linux:3.x to 4.19 over loopback, or a default receive buffer of 87380 bytes
evidence = K: published
sig   = 4:64:0:65495:43690,*:@linux+ws:df:0
sig   = 6:64:0:65476:43690,*:@linux+ws:flow:0
sig   = 6:64:0:65476:43690,*:@linux+ws::0

label = s:unix:Linux:2.6 or 3.x over loopback
evidence = K: published
sig   = 4:64:0:16396:mss*2,2:@linux+ws:df:0
sig   = 4:64:0:16396:mss*2,4:@linux+ws:df:0
sig   = 4:64:0:16396:mss*2,7:@linux+ws:df:0
sig   = 6:64:0:16376:mss*2,2:@linux+ws::0
sig   = 6:64:0:16376:mss*2,4:@linux+ws::0
sig   = 6:64:0:16376:mss*2,7:@linux+ws::0

label = s:unix:Linux:3.10 to 4.19, 6.6 to 6.9 or a default receive buffer of 64 KiB, with jumbo frames
evidence = K: all come to three segments, whatever the options; published
sig   = 4:64:0:8960:mss*3,7:@linux+ws:df:0
sig   = 6:64:0:8940:mss*3,7:@linux+ws:flow:0
sig   = 6:64:0:8940:mss*3,7:@linux+ws::0
sig   = 4:64:0:8960:mss*3,10:@linux+ws:df:0
sig   = 6:64:0:8940:mss*3,10:@linux+ws:flow:0
sig   = 6:64:0:8940:mss*3,10:@linux+ws::0
sig   = 4:64:0:8960:mss*3,0:@linux-ws:df:0
sig   = 6:64:0:8940:mss*3,0:@linux-ws:flow:0
sig   = 6:64:0:8940:mss*3,0:@linux-ws::0
sig   = 4:64:0:8961:mss*3,7:@linux+ws:df:0
sig   = 6:64:0:8941:mss*3,7:@linux+ws:flow:0
sig   = 6:64:0:8941:mss*3,7:@linux+ws::0
sig   = 4:64:0:8961:mss*3,10:@linux+ws:df:0
sig   = 6:64:0:8941:mss*3,10:@linux+ws:flow:0
sig   = 6:64:0:8941:mss*3,10:@linux+ws::0
sig   = 4:64:0:8961:mss*3,0:@linux-ws:df:0
sig   = 6:64:0:8941:mss*3,0:@linux-ws:flow:0
sig   = 6:64:0:8941:mss*3,0:@linux-ws::0

label = s:unix:Linux:2.4, 2.6 or a default receive buffer of 87380 bytes, with jumbo frames
evidence = P, K: both come to four segments; published
sig   = 4:64:0:8960:mss*4,*:@linux+ws:df:0
sig   = 6:64:0:8940:mss*4,*:@linux+ws:flow:0
sig   = 6:64:0:8940:mss*4,*:@linux+ws::0
sig   = 4:64:0:8961:mss*4,*:@linux+ws:df:0
sig   = 6:64:0:8941:mss*4,*:@linux+ws:flow:0
sig   = 6:64:0:8941:mss*4,*:@linux+ws::0

label = s:unix:Linux:6.16 or newer, or older with a larger limit of the receive buffer
evidence = M: 6.18.44 with the limit of 32 MiB that it has, with all eight combinations of options, ECN, MPTCP and TFO
sig   = 4:64:0:*:fill65536,10:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,10:@linux+ws:flow:0
sig   = 6:64:0:*:fill65536,10:@linux+ws::0
sig   = 4:64:0:*:fill65536,10:@linux+ws:df,ecn:0
sig   = 6:64:0:*:fill65536,10:@linux+ws:ecn,flow:0
sig   = 6:64:0:*:fill65536,10:@linux+ws:ecn:0
sig   = 4:64:0:*:fill65536,10:@linux_echo:df:0
sig   = 6:64:0:*:fill65536,10:@linux_echo:flow:0
sig   = 6:64:0:*:fill65536,10:@linux_echo::0

label = s:unix:Linux:4.20 to 6.5 or 6.10 to 6.15, or newer with a smaller limit of the receive buffer
evidence = G, N, K: published; M: 6.18.44 with limits up to 8 MiB, which it sets itself with 1 GiB of memory
sig   = 4:64:0:*:fill65536,7:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,7:@linux+ws:flow:0
sig   = 6:64:0:*:fill65536,7:@linux+ws::0
sig   = 4:64:0:*:fill65536,7:@linux+ws:df,ecn:0
sig   = 6:64:0:*:fill65536,7:@linux+ws:ecn,flow:0
sig   = 6:64:0:*:fill65536,7:@linux+ws:ecn:0
sig   = 4:64:0:*:fill65536,7:@linux_echo:df:0
sig   = 6:64:0:*:fill65536,7:@linux_echo:flow:0
sig   = 6:64:0:*:fill65536,7:@linux_echo::0

label = s:unix:Linux:6.6 to 6.9, or a default receive buffer of 64 KiB
evidence = S, K: published; M: 6.18.44 with tcp_rmem 65536
sig   = 4:64:0:*:fill33280,7:@linux+ws:df:0
sig   = 6:64:0:*:fill33280,7:@linux+ws:flow:0
sig   = 6:64:0:*:fill33280,7:@linux+ws::0
sig   = 4:64:0:*:fill33280,7:@linux+ws:df,ecn:0
sig   = 6:64:0:*:fill33280,7:@linux+ws:ecn,flow:0
sig   = 6:64:0:*:fill33280,7:@linux+ws:ecn:0
sig   = 4:64:0:*:fill33280,7:@linux_echo:df:0
sig   = 6:64:0:*:fill33280,7:@linux_echo:flow:0
sig   = 6:64:0:*:fill33280,7:@linux_echo::0

label = s:unix:Linux:(default receive buffer of 64 KiB)
evidence = M: 6.18.44 with tcp_rmem 65536; K: fewer options, and before 4.20 with a larger initial window
sig   = 4:64:0:*:fill32768,7:@linux+ws:df:0
sig   = 6:64:0:*:fill32768,7:@linux+ws:flow:0
sig   = 4:64:0:*:fill32768,10:@linux+ws:df:0
sig   = 6:64:0:*:fill32768,10:@linux+ws:flow:0

label = s:unix:Linux:(default receive buffer of 87380 bytes)
evidence = M: 6.18.44 with tcp_rmem 87380; K: fewer options, and before 4.20 with a larger initial window
sig   = 4:64:0:*:fill43690,5:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,5:@linux+ws:flow:0
sig   = 4:64:0:*:fill43690,6:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,6:@linux+ws:flow:0
sig   = 4:64:0:*:fill43690,7:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,7:@linux+ws:flow:0
sig   = 4:64:0:*:fill43690,8:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,8:@linux+ws:flow:0
sig   = 4:64:0:*:fill43690,9:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,9:@linux+ws:flow:0
sig   = 4:64:0:*:fill43690,10:@linux+ws:df:0
sig   = 6:64:0:*:fill43690,10:@linux+ws:flow:0

label = s:unix:Linux:(default receive buffer of 16 KiB)
evidence = M: 6.18.44 with tcp_rmem 16384; K: so few segments also before 4.20, and fewer options
sig   = 4:64:0:*:fill8192,7:@linux+ws:df:0
sig   = 6:64:0:*:fill8192,7:@linux+ws:flow:0
sig   = 4:64:0:*:fill8192,10:@linux+ws:df:0
sig   = 6:64:0:*:fill8192,10:@linux+ws:flow:0

label = s:unix:Linux:4.20 or newer, other limit of the receive buffer
evidence = M: 6.18.44 with tcp_rmem up to 16 and 64 MiB; K: the other scales, and fewer options
sig   = 4:64:0:*:fill65536,2:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,2:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,3:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,3:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,4:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,4:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,5:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,5:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,6:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,6:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,8:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,8:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,9:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,9:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,11:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,11:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,12:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,12:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,13:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,13:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,14:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,14:@linux+ws:flow:0

label = s:unix:Linux:4.20 or newer, without window scaling
evidence = M: 6.18.44
sig   = 4:64:0:*:fill65536,0:@linux-ws:df:0
sig   = 6:64:0:*:fill65536,0:@linux-ws:flow:0
sig   = 6:64:0:*:fill65536,0:@linux-ws::0

label = s:unix:Linux:6.6 to 6.9, or a default receive buffer of 64 KiB, without window scaling
evidence = K: published
sig   = 4:64:0:*:fill33280,0:@linux-ws:df:0
sig   = 6:64:0:*:fill33280,0:@linux-ws:flow:0
sig   = 6:64:0:*:fill33280,0:@linux-ws::0

label = s:unix:Linux:(receive buffer set by the application)
evidence = M: 6.18.44 with SO_RCVBUF from 4 KiB to 1 MiB; K: fewer options, and ten or twenty segments
sig   = 4:64:0:*:mss*10,0:@linux+ws:df:0
sig   = 6:64:0:*:mss*10,0:@linux+ws:flow:0
sig   = 4:64:0:*:mss*20,0:@linux+ws:df:0
sig   = 6:64:0:*:mss*20,0:@linux+ws:flow:0
sig   = 4:64:0:*:fill4096,0:@linux+ws:df:0
sig   = 6:64:0:*:fill4096,0:@linux+ws:flow:0
sig   = 4:64:0:*:fill8192,0:@linux+ws:df:0
sig   = 6:64:0:*:fill8192,0:@linux+ws:flow:0
sig   = 4:64:0:*:fill16384,0:@linux+ws:df:0
sig   = 6:64:0:*:fill16384,0:@linux+ws:flow:0
sig   = 4:64:0:*:fill32768,0:@linux+ws:df:0
sig   = 6:64:0:*:fill32768,0:@linux+ws:flow:0
sig   = 4:64:0:*:fill65536,1:@linux+ws:df:0
sig   = 6:64:0:*:fill65536,1:@linux+ws:flow:0
sig   = 4:64:0:*:65535,1:@linux+ws:df:0
sig   = 6:64:0:*:65535,1:@linux+ws:flow:0
sig   = 4:64:0:*:65535,2:@linux+ws:df:0
sig   = 6:64:0:*:65535,2:@linux+ws:flow:0
sig   = 4:64:0:*:65535,3:@linux+ws:df:0
sig   = 6:64:0:*:65535,3:@linux+ws:flow:0
sig   = 4:64:0:*:65535,4:@linux+ws:df:0
sig   = 6:64:0:*:65535,4:@linux+ws:flow:0
sig   = 4:64:0:*:65535,5:@linux+ws:df:0
sig   = 6:64:0:*:65535,5:@linux+ws:flow:0

label = s:unix:Linux:(receive buffer of 128 KiB or more)
evidence = M: 6.18.44 with tcp_rmem 262144 and 524288; K: the other scales, and fewer options
sig   = 4:64:0:*:65535,6:@linux+ws:df:0
sig   = 6:64:0:*:65535,6:@linux+ws:flow:0
sig   = 4:64:0:*:65535,7:@linux+ws:df:0
sig   = 6:64:0:*:65535,7:@linux+ws:flow:0
sig   = 4:64:0:*:65535,8:@linux+ws:df:0
sig   = 6:64:0:*:65535,8:@linux+ws:flow:0
sig   = 4:64:0:*:65535,9:@linux+ws:df:0
sig   = 6:64:0:*:65535,9:@linux+ws:flow:0
sig   = 4:64:0:*:65535,10:@linux+ws:df:0
sig   = 6:64:0:*:65535,10:@linux+ws:flow:0
sig   = 4:64:0:*:65535,11:@linux+ws:df:0
sig   = 6:64:0:*:65535,11:@linux+ws:flow:0
sig   = 4:64:0:*:65535,12:@linux+ws:df:0
sig   = 6:64:0:*:65535,12:@linux+ws:flow:0
sig   = 4:64:0:*:65535,0:@linux+sok-ws-ts:df:0
sig   = 6:64:0:*:65535,0:@linux+sok-ws-ts:flow:0

; Without the identification of IPv4 these are alike.
label = s:unix:Linux:(receive buffer of 128 KiB or more), or FreeBSD
evidence = K: Linux; P: FreeBSD on IPv4; A: its IPv6 flow label, which RFC 6437 asks of every host; published
sig   = 6:64:0:*:65535,0:@linux+ts-ws:flow:0
sig   = 6:64:0:*:65535,0:@linux-ws-sok-ts:flow:0

; Apple answers with this window and no identification; where few options are asked for, its order is that of Linux.
label = s:unix:Linux:(receive buffer of 128 KiB or more), Apple or smoltcp
evidence = K: Linux; N: Apple's window, identification and order of options; published; M: smoltcp 0.14.0 with a receive buffer of 65535 bytes
sig   = 4:64:0:*:65535,0:mss:df:0

label = s:unix:Linux:(receive buffer of 128 KiB or more), or Apple
evidence = K: Linux; N: Apple's window, identification and order of options; published
sig   = 4:64:0:*:65535,0:@linux+ts-ws-sok:df:0

label = s:unix:Linux:(receive buffer of 128 KiB or more), or smoltcp
evidence = K: Linux, published; M: smoltcp 0.14.0 with a receive buffer of 65535 bytes
sig   = 4:64:0:*:65535,0:mss,sok,ts:df:0

label = s:other:gVisor:(sandboxes, and programs that end a VPN without the kernel)
evidence = M: version 20250205 of the network stack, with SACK on
sig   = 4:64:0:1460:29184,7:@linux::0
evidence = M: IPv6 with all options; the others from IPv4
sig   = 6:64:0:1440:28800,7:@linux+ts::0

label = s:unix:Linux:3.10 to 4.19, or gVisor
evidence = P, S: Linux, published; M: gVisor on IPv4
sig   = 6:64:0:1440:28800,7:@linux-ts::0

label = s:unix:Linux:3.10 to 4.19, or a changed receive buffer or initial window
evidence = P, S: published; K: the other causes
sig   = 4:64:0:*:mss*20,*:@linux:df:0
sig   = 6:64:0:*:mss*20,*:@linux:flow:0
sig   = 6:64:0:*:mss*20,*:@linux::0

label = s:unix:Linux:2.6.32 to 3.10, or a changed receive buffer or initial window
evidence = P, S: published; A: 2.6.32 of RHEL 6; K: 2.6.39, and the other causes
sig   = *:64:0:*:mss*10,*:@linux:df:0

; Linux, but for DF, with a larger initial window than the kernel has by itself.
label = s:other:Google:front end
evidence = A: seen in captures of 2013 to 2018 that nDPI and Wireshark publish; published
sig   = 4:64:0:1430:fill43690,6:@linux+ws+sok::0
sig   = 4:64:0:1430:fill43690,7:@linux+ws+sok::0
sig   = 4:64:0:1430:fill43690,8:@linux+ws+sok::0
sig   = 4:64:0:1380:fill43690,6:@linux+ws+sok::0
sig   = 4:64:0:1380:fill43690,7:@linux+ws+sok::0
sig   = 4:64:0:1380:fill43690,8:@linux+ws+sok::0

label = s:other:Cloudflare:edge server
evidence = J: published
sig   = *:64:0:1400:65535,13:@linux+ws+sok:df:0

label = g:unix:Linux:
evidence = M, P, S: the order of the options that all versions since 2.2 share
sig   = 4:64:0:*:*,*:@linux+ws+ts:df:0
sig   = 6:64:0:*:*,*:@linux+ws+ts:flow:0
sig   = 6:64:0:*:*,*:@linux+ws+ts::0
sig   = 4:64:0:*:*,*:@linux+ws+sok-ts:df:0
sig   = 6:64:0:*:*,*:@linux+ws+sok-ts:flow:0
sig   = 6:64:0:*:*,*:@linux+ws+sok-ts::0
sig   = 4:64:0:*:*,0:@linux+sok+ts-ws:df:0
sig   = 4:64:0:*:*,*:@linux_echo:df:0
sig   = 6:64:0:*:*,*:@linux_echo:flow:0
sig   = 6:64:0:*:*,*:@linux_echo::0

label = g:unix:Linux:or another Unix
evidence = M, A: few options, which many stacks put in this order; published
sig   = 4:64:0:*:*,*:mss,nop,ws:df:0
sig   = 6:64:0:*:*,*:mss,nop,ws:flow:0
sig   = 6:64:0:*:*,*:mss,nop,ws::0
sig   = 4:64:0:*:*,0:mss,nop,nop,sok:df:0
sig   = 6:64:0:*:*,0:mss,nop,nop,sok:flow:0
sig   = 6:64:0:*:*,0:mss,nop,nop,sok::0
sig   = 4:64:0:*:*,0:mss,nop,nop,ts:df:0
sig   = 6:64:0:*:*,0:mss,nop,nop,ts:flow:0
sig   = 6:64:0:*:*,0:mss,nop,nop,ts::0
sig   = 4:64:0:*:*,0:mss:df:0
sig   = 6:64:0:*:*,0:mss:flow:0
sig   = 6:64:0:*:*,0:mss::0
sig   = 6:64:0:*:*,0:@linux+sok+ts-ws:flow:0
sig   = 6:64:0:*:*,0:@linux+sok+ts-ws::0

label = s:win:Windows:Vista or newer, or Server 2008 or newer
evidence = S, N: 10 from 1703 on; A: what an application may set on the others; published
sig   = *:128:0:*:65535,8:@windows+ws:df,id+:0
sig   = *:128:0:*:65535,0:@windows+ts-ws:df,id+:0

label = s:win:Windows:XP, Server 2003, or newer without window scaling
evidence = P: XP; S, N: 10; A: what an application may set; published
sig   = *:128:0:*:65535,0:@windows-ws-ts:df,id+:0

label = s:win:Windows:Vista to 10 before 1703, or Server 2008 to 2016
evidence = P, S, N: from 7 on; A: Vista and Server 2008, whose stack is the same; published
sig   = *:128:0:*:8192,8:@windows:df,id+:0

label = g:win:Windows:
evidence = P, S, N: the order of the options; published
sig   = *:128:0:*:*,*:@windows+sok-ts:df,id+:0
sig   = *:128:0:*:*,8:@windows+ws+sok+ts:df,id+:0

label = s:unix:Apple:macOS or iOS
evidence = N: published
sig   = *:64:0:*:65535,6:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,5:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,3:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0

label = g:unix:Apple:macOS or iOS
evidence = N: the order of the options, which Junos alone shares; published
sig   = *:64:0:*:*,*:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0

label = s:unix:FreeBSD:9 or newer, or PlayStation 4 or 5
evidence = P, N: also pfSense, OPNsense and TrueNAS; published
sig   = *:64:0:*:65535,6:@bsd+ws+ts:df,id+:0
sig   = 4:64:0:*:65535,6:@bsd+ws-ts:df,id+:0

label = s:unix:Apple or FreeBSD:or smoltcp, without window scaling
evidence = P, N: Apple and FreeBSD, published; M: smoltcp 0.14.0 with a receive buffer of 65535 bytes
sig   = 4:64:0:*:65535,0:mss,sok,eol+1:df:0

label = s:unix:FreeBSD:8 or newer, or macOS, without window scaling
evidence = P: published
sig   = 4:64:0:*:65535,0:@bsd+ts-ws:df,id+:0
sig   = *:64:0:*:65535,0:@bsd+sok-ws-ts:df,id+:0
sig   = 4:64:0:*:65535,0:@bsd-ws-sok-ts:df,id+:0

label = s:unix:FreeBSD:8
evidence = P: published
sig   = 4:64:0:*:65535,3:@bsd+ws+sok:df,id+:0
sig   = 4:64:0:*:65535,3:@bsd+ws-sok-ts:df,id+:0

label = s:unix:Apple:macOS or iOS, without timestamps
evidence = Z, N: the order of its SYN without timestamps, with the identification of its answers; published
sig   = 4:64:0:*:65535,5:mss,nop,ws,sok,eol+1:df:0
sig   = 4:64:0:*:65535,3:mss,nop,ws,sok,eol+1:df:0

; FreeBSD leaves the identification out, too, where it follows RFC 6864.
label = s:unix:Apple or FreeBSD:without timestamps
evidence = P, N, Z: published
sig   = 4:64:0:*:65535,6:mss,nop,ws,sok,eol+1:df:0
sig   = 6:64:0:*:65535,6:@bsd+ws+sok-ts::0
sig   = 6:64:0:*:65535,6:@bsd+ws+sok-ts:flow:0

label = s:unix:FreeBSD:9 or newer, large socket buffers
evidence = P, N: published
sig   = *:64:0:*:65535,7:@bsd+ws+sok:df,id+:0
sig   = *:64:0:*:65535,7:@bsd+ws+ts-sok:df,id+:0

label = s:unix:FreeBSD:9 or newer with large socket buffers, or VMware ESXi
evidence = P, S, N: published
sig   = *:64:0:*:65535,9:@bsd+ws+sok:df,id+:0
sig   = *:64:0:*:65535,9:@bsd+ws+ts-sok:df,id+:0

label = s:other:VMware ESXi:4 to 8
evidence = S, N: published
sig   = *:64:0:*:65535,4:mss,nop,ws,sok,ts:df,id+:0

label = g:unix:BSD:FreeBSD or one of its descendants
evidence = P, N: the order of the options; published
sig   = *:64:0:*:65535,*:@bsd+ws+sok+ts:df,id+:0
sig   = 4:64:0:*:65535,*:@bsd+ws+sok-ts:df,id+:0
sig   = 4:64:0:*:65535,*:@bsd+ws+ts-sok:df,id+:0

label = g:unix:BSD or another Unix:
evidence = P, A: few options, which many stacks put in this order; published
sig   = 4:64:0:*:*,*:mss,nop,ws:df,id+:0

label = s:unix:OpenBSD:6.1 or newer
evidence = N, P: published
sig   = *:64:0:*:16384,6:mss,nop,nop,sok,nop,ws,nop,nop,ts:df,id+:0

label = s:unix:OpenBSD:6.0 or older
evidence = N, P: published
sig   = *:64:0:*:16384,3:mss,nop,nop,sok,nop,ws,nop,nop,ts:df,id+:0

label = s:unix:NetBSD:7 to 10, or AirPort, or QNX 7
evidence = N: published
sig   = *:64:0:*:32768,3:mss,nop,ws,nop,nop,ts,sok,nop,nop:df,id+:0

label = s:unix:Linux:2.6.27
evidence = K: the order of its options, and no identification; published
sig   = 4:64:0:*:mss*4,*:sok,ts,mss,nop,ws:df:0
sig   = 6:64:0:*:mss*4,*:sok,ts,mss,nop,ws::0

label = s:unix:Solaris:11, or illumos
evidence = N: published
sig   = *:64:0:*:64436,1:sok,ts,mss,nop,ws:df,id+:0

label = g:unix:Solaris:11, or illumos, or Linux 2.6.27
evidence = N, K: the order of the options; published
sig   = *:64:0:*:*,*:sok,ts,mss,nop,ws:df,id+:0

label = s:unix:AIX:7
evidence = N: published
sig   = *:64:0:*:65535,1:mss,nop,ws,nop,nop,ts:df,id+:0
sig   = *:64:0:*:65535,2:mss,nop,ws,nop,nop,ts:df,id+:0

label = s:unix:AIX:7, or FreeBSD 8
evidence = N, P: published
sig   = *:64:0:*:65535,3:mss,nop,ws,nop,nop,ts:df,id+:0

label = s:other:Haiku:
evidence = N: published
sig   = *:255:0:*:65535,0:mss,nop,nop,ts,nop,ws::0

label = s:other:F5 BIG-IP:
evidence = S, N: published
sig   = *:255:0:*:mss*3,0:mss,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:mss*3,0:mss,sok,eol+1:df:0

label = s:other:NetScaler:
evidence = N: published
sig   = *:255:0:*:8190,0:mss::0
sig   = 4:255:0:*:8190,0:mss:df:0

label = s:other:Cisco IOS:or IOS-XE
evidence = N, S: published
sig   = *:255:0:*:4128,0:mss::0
sig   = *:255:0:*:4128,0:mss,sok,eol+1::0
sig   = *:255:0:*:4128,0:mss,sok,nop,nop,ts,eol+1::0

label = s:other:Cisco NX-OS:
evidence = N: published
sig   = *:64:0:*:17204,0:mss,nop,nop,ts::0

label = g:other:Cisco NX-OS:
evidence = N: other windows from 17204 on; published
sig   = 4:64:0:*:*,0:mss,nop,nop,ts::0

label = s:other:Junos:
evidence = N: published
sig   = *:64:0:*:16384,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:16384,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:64:0:*:65535,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:16384,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:16384,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:65535,0:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0
sig   = *:255:0:*:65535,1:mss,nop,ws,nop,nop,ts,sok,eol+1:df:0

label = g:other:smoltcp:
evidence = M: 0.14.0 with a receive buffer of 65535 bytes, without and with timestamps; every program chooses its own buffer
sig   = *:64:0:*:*,*:@smoltcp+ws:df:0
sig   = *:64:0:*:*,0:@smoltcp+ts-ws-sok:df:0

label = s:other:lwIP:(with the settings of Debian)
evidence = M: 2.1.3
sig   = *:255:0:*:65535,1:@lwip::0
sig   = 4:255:0:*:65535,1:@lwip:id-:0

label = s:other:lwIP:(for example on ESP8266 or ESP32)
evidence = N: published
sig   = *:255:0:*:mss*4,0:mss::0
sig   = *:128:0:*:mss*4,0:mss::0

label = s:other:uIP or Contiki:
evidence = N: published
sig   = 4:64:0:*:mss*1,0:mss::0

label = s:other:VxWorks:5 to 7
evidence = N: published
sig   = *:64:0:*:8192,0:mss,nop,ws::0
sig   = 4:64:0:*:8192,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:16384,0:mss,nop,ws::0
sig   = 4:64:0:*:16384,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:60000,0:mss,nop,ws::0
sig   = 4:64:0:*:60000,0:mss,nop,ws:df,id+:0
sig   = *:64:0:*:8192,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:8192,0:mss,nop,ws,nop,nop,ts:df,id+:0
sig   = *:64:0:*:16384,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:16384,0:mss,nop,ws,nop,nop,ts:df,id+:0
sig   = *:64:0:*:60000,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:60000,0:mss,nop,ws,nop,nop,ts:df,id+:0

label = s:other:Printer:HP, Brother or Epson
evidence = N: published
sig   = *:64:0:*:mss*4,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:*:mss*4,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:*:mss*6,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:*:mss*6,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:1460:11680,0:mss,nop,ws,nop,nop,sok,nop,nop,ts::0
sig   = 4:64:0:1460:11680,0:mss,nop,ws,nop,nop,sok,nop,nop,ts:df:0
sig   = *:64:0:*:mss*4,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:mss*4,0:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:*:mss*6,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:*:mss*6,0:mss,nop,ws,nop,nop,ts:df:0
sig   = *:64:0:1460:11680,0:mss,nop,ws,nop,nop,ts::0
sig   = 4:64:0:1460:11680,0:mss,nop,ws,nop,nop,ts:df:0
