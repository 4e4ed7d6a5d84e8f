//! Whole captures of every format.

use huginn_net_core::source::Container;
use huginn_net_core::{CaptureFile, LinkType, SourceError, Timestamp};

use super::*;

#[test]
fn every_pcap_in_either_byte_order_gives_the_same_frames() {
    let packets = packets(20);
    for (magic, container) in
        [(MICROS, Container::Pcap), (NANOS, Container::PcapNanos), (KUZNETZOV, Container::PcapKuznetzov)]
    {
        for order in [Little, Big] {
            let file = pcap_of(magic, order, &packets);
            assert_reads(&file, &packets, &[]);
            assert_eq!(read(&file).1.format.unwrap().container, container);
        }
    }
}

/// A file of a variant whose record headers are longer than its magic says.
fn variant_of(magic: u32, order: Order, longer: usize, packets: &[Packet]) -> Vec<u8> {
    let mut file = pcap_header(magic, order, 65_535, 1);
    for packet in packets {
        let mut record = record(magic, order, packet);
        let frame_at = record.len() - packet.bytes.len();
        record.splice(frame_at..frame_at, vec![0x5a; longer]);
        file.extend(record);
    }
    file
}

#[test]
fn variants_that_have_the_magic_of_another_format_are_told_by_where_their_records_begin() {
    for (magic, longer, container, name) in [
        (MICROS, 4, Container::PcapNokia, "pcap-nokia"),
        (MICROS, 8, Container::PcapRedHat, "pcap-rh6.1"),
        (KUZNETZOV, 4, Container::PcapSuse, "pcap-suse6.3"),
    ] {
        for (order, count) in [(Little, 2), (Big, 2), (Big, 20), (Little, 100)] {
            let packets = packets(count);
            let file = variant_of(magic, order, longer, &packets);
            assert_reads(&file, &packets, &[]);
            let format = read(&file).1.format.unwrap();
            assert_eq!((format.container, format.to_string().as_str()), (container, name));
        }
    }
}

#[test]
fn a_single_record_is_no_proof_of_a_variant_whatever_is_behind_it() {
    for magic in [MICROS, KUZNETZOV] {
        for stray in [&[0; 4][..], &[0xff; 4], &[0; 8], &[0x17; 8], b"\nEOF"] {
            let packets = packets(1);
            let mut file = pcap_of(magic, Little, &packets);
            let at = file.len();
            file.extend(stray);
            assert_reads(&file, &packets, &[(DamageReason::CutRecord, at)]);
            let container = if magic == MICROS { Container::Pcap } else { Container::PcapKuznetzov };
            assert_eq!(read(&file).1.format.unwrap().container, container);
        }
    }
}

/// So many bytes that with a longer header the record would be the only one, and too few would be left to judge.
#[test]
fn two_records_have_to_agree_on_a_variant() {
    for (magic, stray, container) in
        [(MICROS, 20, Container::Pcap), (KUZNETZOV, 26, Container::PcapKuznetzov)]
    {
        let packets = packets(1);
        let mut file = pcap_of(magic, Little, &packets);
        let at = file.len();
        file.extend(vec![0xff; stray]);
        assert_reads(&file, &packets, &[(DamageReason::AbsurdLength, at)]);
        assert_eq!(read(&file).1.format.unwrap().container, container);
    }
}

#[test]
fn damage_does_not_make_a_capture_one_of_a_variant() {
    for (longer, reason) in [(4, DamageReason::AbsurdLength), (8, DamageReason::AbsurdLength)] {
        let packets = packets(20);
        let mut file = pcap(&packets);
        // Bytes too many behind the first record.
        let at = FILE_HEADER + 16 + packets[0].bytes.len();
        file.splice(at..at, vec![0; longer]);
        assert_reads(&file, &packets, &[(reason, at)]);
        assert_eq!(read(&file).1.format.unwrap().container, Container::Pcap);
    }
}

#[test]
fn lengths_of_old_versions_may_be_in_the_other_order() {
    let packets = packets(20);
    for order in [Little, Big] {
        for (version, is_swapped) in [([2, 2], true), ([2, 3], true), ([2, 3], false), ([543, 0], true)] {
            let mut file = pcap_header(MICROS, order, 65_535, 1);
            file.splice(4..8, version.map(|number| order.u16(number)).concat());
            for packet in &packets {
                let mut record = record(MICROS, order, packet);
                if is_swapped {
                    let (captured_len, wire_len) = record[8..16].split_at_mut(4);
                    captured_len.swap_with_slice(wire_len);
                }
                file.extend(record);
            }
            assert_reads(&file, &packets, &[]);
        }
    }
}

#[test]
fn captures_of_aix_have_nanoseconds_and_link_types_of_their_own() {
    for (interface_type, link_type) in [(6, 1), (9, 6), (15, 10), (24, 0)] {
        let mut packets = packets(5);
        for packet in &mut packets {
            packet.nanos += 789;
            packet.link_type = link_type;
        }
        let mut file = pcap_header(MICROS, Big, 65_535, interface_type);
        file[4..8].copy_from_slice(&[0, 2, 0, 2]);
        // Records as those of nanoseconds.
        file.extend(packets.iter().flat_map(|packet| record(NANOS, Big, packet)));
        assert_reads(&file, &packets, &[]);
    }
}

#[test]
fn versions_that_do_not_exist_are_read_like_those_that_do() {
    for version in [[2, 5], [2, 6], [3, 0], [0, 0]] {
        let packets = packets(3);
        let mut file = pcap(&packets);
        file[4..8].copy_from_slice(&version.map(u16::to_le_bytes).concat());
        assert_reads(&file, &packets, &[]);
    }
}

#[test]
fn statistics_count_frames_bytes_times_and_link_types() {
    let packets = packets(20);
    let file = pcap(&packets);
    let (_, stats) = read(&file);
    assert_eq!(stats.format.unwrap().to_string(), "pcap");
    assert_eq!(stats.link_types, [LinkType::ETHERNET]);
    assert_eq!(stats.bytes, packets.iter().map(|packet| packet.bytes.len() as u64).sum::<u64>());
    assert_eq!(stats.input_bytes, file.len() as u64);
    assert_eq!(stats.first, Some(Timestamp::from_nanos(packets[0].nanos)));
    assert_eq!(stats.last, Some(Timestamp::from_nanos(packets[19].nanos)));
}

#[test]
fn the_link_type_is_the_lower_half_of_its_word() {
    for order in [Little, Big] {
        let file = pcap_header(MICROS, order, 65_535, 0x2400_0114);
        assert_eq!(read(&file).1.link_types, [LinkType::LINUX_SLL2]);
    }
}

#[test]
fn a_wrong_snapshot_length_does_not_matter() {
    let mut packets = packets(3);
    packets[1].bytes = vec![5; 256 * 1024];
    packets[1].wire_len = 256 * 1024;
    for snaplen in [0, 1, 68, 0x7fff_ffff, u32::MAX] {
        let mut file = pcap_header(MICROS, Little, snaplen, 1);
        file.extend(packets.iter().flat_map(|packet| record(MICROS, Little, packet)));
        assert_reads(&file, &packets, &[]);
    }
}

#[test]
fn a_snapshot_length_above_256_kib_admits_records_up_to_4_mib() {
    let mut packets = packets(3);
    packets[1].bytes = vec![5; 4 << 20];
    packets[1].wire_len = 4 << 20;
    let mut file = pcap_header(MICROS, Big, u32::MAX, 1);
    file.extend(packets.iter().flat_map(|packet| record(MICROS, Big, packet)));
    assert_reads(&file, &packets, &[]);
}

#[test]
fn a_wire_length_below_the_captured_length_is_raised_to_it() {
    let mut packets = packets(3);
    for wire_len in [0, 10] {
        packets[0].wire_len = wire_len;
        let files = [pcap(&packets), pcapng(Big, &packets)];
        packets[0].wire_len = 60;
        for file in files {
            assert_reads(&file, &packets, &[]);
        }
    }
}

#[test]
fn captures_joined_by_cat_are_read_as_one() {
    let (early, mut late) = (packets(4), packets(8));
    for packet in &mut late {
        packet.link_type = 101;
    }
    let mut file = [pcap(&early), pcap_of(NANOS, Big, &[])].concat();
    file.extend(pcap_header(KUZNETZOV, Big, 0, 101));
    file.extend(late.iter().flat_map(|packet| record(KUZNETZOV, Big, packet)));
    assert_reads(&file, &[early, late].concat(), &[]);
}

#[test]
fn pcapng_in_either_byte_order_gives_the_same_frames() {
    let packets = packets(20);
    for order in [Little, Big] {
        let file = pcapng(order, &packets);
        assert_reads(&file, &packets, &[]);
        assert_eq!(read(&file).1.format.unwrap().to_string(), "pcapng");
    }
}

#[test]
fn reads_the_obsolete_packet_block_whose_interface_has_16_bits() {
    let packets = packets(20);
    for order in [Little, Big] {
        let mut file = [section(order), nanos_interface(order)].concat();
        for packet in &packets {
            let enhanced = enhanced(order, 0, packet.nanos, packet);
            let interface_and_drops = [order.u16(0), order.u16(0x1234)].concat();
            let body = [&interface_and_drops, &enhanced[12..enhanced.len() - 4]].concat();
            file.extend(block(order, PACKET, &body));
        }
        assert_reads(&file, &packets, &[]);
    }
}

#[test]
fn a_simple_packet_block_ends_at_the_snapshot_length_and_takes_the_time_before_it() {
    let before = Packet { bytes: vec![1], wire_len: 1, ..packets(1)[0].clone() };
    for order in [Little, Big] {
        let simple = block(order, SIMPLE_PACKET, &[&order.u32(7)[..], b"abcdefg"].concat());
        for (snaplen, bytes) in [(0, "abcdefg"), (5, "abcde"), (7, "abcdefg"), (9, "abcdefg")] {
            let file = [
                section(order),
                interface(order, 1, snaplen, &option(order, 9, &[9])),
                enhanced(order, 0, before.nanos, &before),
                simple.clone(),
            ];
            let expected = Packet { wire_len: 7, bytes: bytes.into(), ..before.clone() };
            assert_reads(&file.concat(), &[before.clone(), expected], &[]);
        }
    }
}

#[test]
fn every_resolution_and_offset_of_an_interface_is_followed() {
    const SECOND: u64 = 1_000_000_000;
    for (resolution, offset, ticks, nanos) in [
        (None, 0, 1_500_000, SECOND * 3 / 2),
        (Some(0), 0, 3, 3 * SECOND),
        (Some(3), 0, 1_234, SECOND * 1_234 / 1_000),
        (Some(6), 0, 7, 7_000),
        (Some(9), 0, 7, 7),
        (Some(12), 0, 7_999, 7),
        (Some(127), 0, u64::MAX, 0),
        (Some(0x80), 0, 3, 3 * SECOND),
        (Some(0x81), 0, 3, SECOND * 3 / 2),
        (Some(0x80 | 32), 0, 1 << 31, SECOND / 2),
        (Some(0xff), 0, u64::MAX, 0),
        (Some(0), 0, u64::MAX, u64::MAX),
        (Some(0), 100, 3, 103 * SECOND),
        (Some(0), -2, 3, SECOND),
        (Some(0), -4, 3, 0),
        (Some(0), i64::MAX, u64::MAX, u64::MAX),
        (Some(9), i64::MIN, u64::MAX, 0),
    ] {
        for order in [Little, Big] {
            let mut options = option(order, 2, b"eth0");
            if let Some(resolution) = resolution {
                options.extend(option(order, 9, &[resolution]));
            }
            let to_bytes = if order == Big { i64::to_be_bytes } else { i64::to_le_bytes };
            options.extend(option(order, 14, &to_bytes(offset)));
            options.extend(option(order, 0, &[]));
            let packet = Packet { nanos, ..packets(1)[0].clone() };
            let file = [section(order), interface(order, 1, 0, &options), enhanced(order, 0, ticks, &packet)]
                .concat();
            assert_reads(&file, &[packet], &[]);
        }
    }
}

#[test]
fn each_section_has_its_own_byte_order_and_interfaces() {
    let packets = packets(6);
    let mut expected = Vec::new();
    let mut file = Vec::new();
    for (order, link_types) in [(Little, [1, 101]), (Big, [113, 276]), (Little, [228, 229])] {
        file.extend(section(order));
        for link_type in link_types {
            file.extend(interface(order, link_type, 0, &option(order, 9, &[9])));
        }
        for (number, link_type) in [(1, link_types[1]), (0, link_types[0])] {
            for packet in &packets {
                file.extend(enhanced(order, number, packet.nanos, packet));
                expected.push(Packet { link_type, ..packet.clone() });
            }
        }
    }
    assert_reads(&file, &expected, &[]);
    assert_eq!(read(&file).1.link_types, [1, 101, 113, 276, 228, 229].map(LinkType));
}

#[test]
fn other_blocks_are_passed_over_whatever_their_length() {
    let packets = packets(2);
    // Name resolution, statistics, custom, local, and one that is not assigned.
    for block_type in [4, STATISTICS, 0xbad, 0x8000_0001, 0x0012_3456] {
        for len in [0, 1, 5, 300_000, 6_000_000] {
            let other = block(Big, block_type, &vec![0x55; len]);
            let mut file = [section(Big), nanos_interface(Big)].concat();
            for packet in &packets {
                file.extend(&other);
                file.extend(enhanced(Big, 0, packet.nanos, packet));
            }
            file.extend(&other);
            assert_reads(&file, &packets, &[]);
        }
    }
}

#[test]
fn packets_within_blocks_of_custom_and_local_types_are_none() {
    let packets = packets(2);
    let within = enhanced(Little, 0, packets[0].nanos, &packets[0]);
    for block_type in [0xbad, 0x8000_0001] {
        let other = block(Little, block_type, &within.repeat(5_000_000 / within.len()));
        let mut file = [section(Little), nanos_interface(Little), other].concat();
        file.extend(enhanced(Little, 0, packets[1].nanos, &packets[1]));
        assert_reads(&file, &packets[1..], &[]);
    }
}

#[test]
fn refuses_what_is_no_capture_and_shows_its_first_bytes() {
    for bytes in [&b"GET / HTTP/1.1\r\n"[..], b"GE", b"\xd4\xc3\xb2\xa2", b"\n\r\r\r", b"\xd4\xc3\xb2\0"] {
        match CaptureFile::from_bytes(bytes) {
            Err(SourceError::UnknownFormat { found }) => assert_eq!(found, bytes[..bytes.len().min(4)]),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(CaptureFile::from_bytes([]), Err(SourceError::Empty)));
}

#[test]
fn says_what_a_capture_of_another_kind_is_and_what_reads_it() {
    let tar = |magic: &[u8]| [b"day1/eth0.pcap", &[0; 243][..], magic, &[0; 247]].concat();
    let (posix_tar, gnu_tar) = (tar(b"ustar\x0000"), tar(b"ustar  \0"));
    for (bytes, text) in [
        (
            &b"snoop\0\0\0\0\0\0\x02"[..],
            "a snoop capture, which is not read here: editcap makes a pcapng file of it",
        ),
        (
            b"GMBU\0\x02\x01\0",
            "a capture of Network Monitor 2, which is not read here: editcap makes a pcapng file of it",
        ),
        (b"\xfd7zXZ\0\0\x04", "a file compressed with xz, which is not read here: decompress it first"),
        (b"PK\x03\x04\x14\0", "a ZIP archive, which is not read here: extract its files first"),
        (&posix_tar, "a tar archive, which is not read here: extract its files first"),
        (&gnu_tar, "a tar archive, which is not read here: extract its files first"),
    ] {
        match CaptureFile::from_bytes(bytes) {
            Err(error @ SourceError::OtherFormat { .. }) => assert_eq!(error.to_string(), text),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_named_and_what_the_system_says_is_the_cause() {
    let error = CaptureFile::open("no/such/file.pcap").unwrap_err();
    assert_eq!(error.to_string(), "no/such/file.pcap: cannot be opened");
    let SourceError::Open { path, source } = &error else { panic!("{error:?}") };
    assert_eq!((path.to_str(), source.kind()), (Some("no/such/file.pcap"), io::ErrorKind::NotFound));
    let cause = core::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<io::Error>());
    assert!(cause.is_some_and(|cause| cause.raw_os_error().is_some()));
}

#[test]
fn a_directory_is_named_like_a_file_that_cannot_be_opened() {
    let error = CaptureFile::open(env!("CARGO_MANIFEST_DIR")).unwrap_err();
    assert!(matches!(error, SourceError::Open { .. }), "{error:?}");
}
