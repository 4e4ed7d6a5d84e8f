; Links by their MTU that come with huginn-net, in the format of docs/signatures.md.
;
; An MTU never proves a link: every label lists what is known to have this one, the likeliest first. The MTU is seen as
; the MSS plus 40 bytes on IPv4 and 60 on IPv6, so a box that lowers the MSS shows here, too.
; Sources: standards of the encapsulations, defaults of the named products, loopback values measured by this project,
; and ValdikSS' table of MTUs that OpenVPN leaves with common ciphers.

[mtu]
label = old dial-up or X.25 default
sig   = 576

label = OpenVPN or a clamped MSS
sig   = 1278
sig   = 1279
sig   = 1281
sig   = 1290
sig   = 1291
sig   = 1292
sig   = 1293
sig   = 1306
sig   = 1307
sig   = 1308
sig   = 1309
sig   = 1328
sig   = 1329
sig   = 1330
sig   = 1331
sig   = 1340
sig   = 1341
sig   = 1343
sig   = 1356
sig   = 1357
sig   = 1359
sig   = 1378
sig   = 1379
sig   = 1381
sig   = 1391
sig   = 1392
sig   = 1393
sig   = 1406
sig   = 1407
sig   = 1408
sig   = 1409

label = IPv6 minimum, Tailscale, Teredo or OpenVPN
sig   = 1280

label = tunnel with a rounded MTU or a clamped MSS
sig   = 1300

label = Teredo or a like tunnel or OpenVPN
sig   = 1342

label = mobile network or carrier-grade NAT
sig   = 1350
sig   = 1360

label = mobile network, carrier-grade NAT or OpenVPN
sig   = 1358
sig   = 1380
sig   = 1390

label = IPsec ESP or mobile network
sig   = 1400

label = WireGuard over PPPoE or a clamped MSS
sig   = 1412

label = WireGuard or a clamped MSS
sig   = 1420

label = mobile network or a clamped MSS
sig   = 1428
sig   = 1430
sig   = 1440

label = PPPoE with further headers or a clamped MSS
sig   = 1448
sig   = 1452
sig   = 1454

label = VXLAN or Azure
sig   = 1450

label = L2TP or a clamped MSS
sig   = 1464
sig   = 1468

label = GRE tunnel with a key or a clamped MSS
sig   = 1472

label = GRE tunnel or lwIP on Wi-Fi
sig   = 1476

label = IPIP or 6in4 tunnel, or IPv6 translated to IPv4
sig   = 1480

label = PPPoE or a clamped MSS
sig   = 1492

label = Ethernet or Wi-Fi
sig   = 1500

label = loopback of old Linux
sig   = 3924
sig   = 16436

label = tunnel over jumbo frames
sig   = 8901
sig   = 8911

label = Google Kubernetes Engine or Calico with jumbo frames
sig   = 8951

label = Ethernet with jumbo frames
sig   = 9000

label = Amazon EC2 with jumbo frames
sig   = 9001

label = loopback of macOS or BSD
sig   = 16384

label = loopback of Linux
sig   = 65535

; Its MSS on IPv6 is 65,476 bytes. p0f has no room for this MTU.
[x-mtu]
label = loopback of Linux
sig   = 65536
