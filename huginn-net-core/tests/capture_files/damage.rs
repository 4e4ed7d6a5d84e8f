//! Damaged captures: what is kept, what is found again, and what is said about it.

use huginn_net_core::Source;
use huginn_net_core::source::DamageReason::{
    AbsurdLength, BadBlock, CutHeader, CutRecord, Garbage, UnknownInterface,
};

use super::*;

/// A capture in pieces: its header, then one piece for each of its frames.
type Pieces = (Vec<u8>, Vec<Vec<u8>>);

fn pieces(packets: &[Packet]) -> Vec<Pieces> {
    let mut captures = Vec::new();
    for order in [Little, Big] {
        for magic in [MICROS, NANOS, KUZNETZOV] {
            let records = packets.iter().map(|packet| record(magic, order, packet));
            captures.push((pcap_header(magic, order, 65_535, 1), records.collect()));
        }
        let blocks = packets.iter().map(|packet| enhanced(order, 0, packet.nanos, packet));
        captures.push(([section(order), nanos_interface(order)].concat(), blocks.collect()));
    }
    captures
}

#[test]
fn a_capture_cut_at_any_byte_keeps_the_whole_frames_before_the_cut() {
    let packets = packets(6);
    for (header, records) in pieces(&packets) {
        let file = [header.clone(), records.concat()].concat();
        let mut whole = 0;
        let mut boundary = header.len();
        for cut in 4..file.len() {
            if let Some(next) = records.get(whole)
                && cut == boundary + next.len()
            {
                whole += 1;
                boundary = cut;
            }
            let (reason, at) = if cut < header.len() { (CutHeader, 0) } else { (CutRecord, boundary) };
            if cut == boundary {
                assert_reads(&file[..cut], &packets[..whole], &[]);
            } else if file.starts_with(&SECTION.to_be_bytes()) && (28..header.len()).contains(&cut) {
                // Between or within the section header and the interface.
                let damage: &[_] = if cut == 28 { &[] } else { &[(CutRecord, 28)] };
                assert_reads(&file[..cut], &[], damage);
            } else {
                assert_reads(&file[..cut], &packets[..whole], &[(reason, at)]);
            }
        }
    }
}

#[test]
fn a_cut_packet_is_not_searched_for_what_its_sender_put_into_it() {
    let outer = packets(3);
    let forged = packets(5);
    for (header, mut records) in pieces(&outer) {
        let order = if header.starts_with(&MICROS.to_be_bytes()) { Big } else { Little };
        let inner = if header.starts_with(&SECTION.to_be_bytes()) {
            pcapng(order, &forged)
        } else {
            forged.iter().flat_map(|packet| record(MICROS, order, packet)).collect()
        };
        let mut last = outer[2].clone();
        last.wire_len = u32::try_from(inner.len()).unwrap();
        last.bytes = inner;
        let (_, with_payload) = pieces(&[last]).into_iter().find(|(known, _)| *known == header).unwrap();
        records[2] = with_payload.concat();
        let at = header.len() + records[0].len() + records[1].len();
        let mut file = [header, records.concat()].concat();
        file.truncate(file.len() - 10);
        assert_reads(&file, &outer[..2], &[(CutRecord, at)]);
    }
}

#[test]
fn a_capture_with_flipped_bytes_ends_after_as_many_frames_as_it_has_bytes() {
    let packets = packets(12);
    for (header, records) in pieces(&packets) {
        let file = [header, records.concat()].concat();
        for seed in 1..=1_000 {
            let mut rng = Rng::new(seed);
            let mut flipped = file.clone();
            for _ in 0..=rng.below(20) {
                let at = rng.below(flipped.len());
                flipped[at] ^= rng.next_u8();
            }
            let Ok(mut source) = CaptureFile::from_bytes(flipped) else { continue };
            let mut calls = 0;
            while source.read().unwrap() != Read::End {
                calls += 1;
                assert!(calls < file.len(), "seed {seed}");
            }
        }
    }
}

#[test]
fn random_bytes_behind_a_header_end() {
    for (header, _) in pieces(&[]) {
        for seed in 1..=20 {
            let file = [header.clone(), Rng::new(seed).bytes(20_000)].concat();
            let (_, stats) = read(&file);
            assert!(stats.damage_total > 0);
        }
    }
}

#[test]
fn an_absurd_length_costs_its_record_and_no_other() {
    let packets = packets(12);
    for (header, records) in pieces(&packets) {
        let is_pcapng = header.starts_with(&SECTION.to_be_bytes());
        for damaged in 0..packets.len() {
            let mut records = records.clone();
            let length = if is_pcapng { 4..8 } else { 8..12 };
            let absurd = if is_pcapng { [0xf0; 4] } else { [0xff; 4] };
            records[damaged][length].copy_from_slice(&absurd);
            let at = header.len() + records[..damaged].concat().len();
            let mut expected = packets.clone();
            expected.remove(damaged);
            let file = [header.clone(), records.concat()].concat();
            assert_reads(&file, &expected, &[(AbsurdLength, at)]);
        }
    }
}

#[test]
fn garbage_of_any_length_between_records_costs_no_frame() {
    let packets = packets(6);
    for (header, records) in pieces(&packets) {
        for len in 1..80 {
            for garbage in [vec![0xff; len], vec![b'x'; len], Rng::new(len as u64).bytes(len)] {
                let at = header.len() + records[..3].concat().len();
                let file = [&header[..], &records[..3].concat(), &garbage, &records[3..].concat()].concat();
                let (read, stats) = read(&file);
                assert!(read == packets, "{len} of {garbage:x?}: {:?}", stats.damage);
                assert_eq!(stats.damage_total, 1, "{:?}", stats.damage);
                assert_eq!(stats.damage[0].offset, at as u64);
            }
        }
    }
}

#[test]
fn damage_before_the_first_record_is_passed_over() {
    let packets = packets(6);
    for (header, records) in pieces(&packets) {
        let file = [&header[..], &[0xff; 37], &records.concat()].concat();
        let (read, stats) = read(&file);
        assert!(read == packets);
        assert_eq!(stats.damage_total, 1);
        assert_eq!(stats.damage[0].offset, header.len() as u64);
    }
}

#[test]
fn two_damaged_records_do_not_take_the_good_one_between_them() {
    let packets = packets(5);
    let mut records: Vec<_> = packets.iter().map(|packet| record(MICROS, Little, packet)).collect();
    records[1][8..12].fill(0xff);
    records[3][8..12].fill(0xff);
    let offsets = [1, 3].map(|damaged| FILE_HEADER + records[..damaged].concat().len());
    let file = [pcap(&[]), records.concat()].concat();
    let expected = [&packets[0], &packets[2], &packets[4]].map(Clone::clone);
    assert_reads(&file, &expected, &[(AbsurdLength, offsets[0]), (AbsurdLength, offsets[1])]);
}

#[test]
fn a_record_longer_than_its_frame_is_garbage_when_no_record_follows_it() {
    let packets = packets(6);
    let mut records: Vec<_> = packets.iter().map(|packet| record(MICROS, Little, packet)).collect();
    records[1][8..12].copy_from_slice(&Little.u32(500));
    let at = FILE_HEADER + records[0].len();
    let file = [pcap(&[]), records.concat()].concat();
    let expected = [&packets[..1], &packets[2..]].concat();
    assert_reads(&file, &expected, &[(Garbage, at)]);
}

#[test]
fn small_numbers_in_a_damaged_record_are_no_empty_records_of_1970() {
    let mut packets = packets(6);
    // Between other bytes 16 that could be the header of an empty record, and 16 of one as old.
    packets[1].bytes = vec![0xff; 100];
    packets[1].bytes[20..36].copy_from_slice(&Little.words(&[0, 0, 0, 130_306]));
    packets[1].bytes[36..52].copy_from_slice(&Little.words(&[0, 0, 0, 0xab50_0002]));
    packets[1].wire_len = 100;
    let mut records: Vec<_> = packets.iter().map(|packet| record(MICROS, Little, packet)).collect();
    records[1][8..12].fill(0xff);
    let at = FILE_HEADER + records[0].len();
    let expected = [&packets[..1], &packets[2..]].concat();
    assert_reads(&[pcap(&[]), records.concat()].concat(), &expected, &[(AbsurdLength, at)]);
}

#[test]
fn bytes_missing_within_a_record_cost_it_and_at_most_the_next_one() {
    let mut packets = packets(12);
    for (packet, rest) in packets.iter_mut().zip([3, 8, 200].into_iter().cycle()) {
        // Addresses as cards have them: no length on the wire that a frame has.
        packet.bytes.resize(74, rest);
        packet.bytes[..4].copy_from_slice(&[0x5c, 0x1b, rest, rest]);
        packet.wire_len = 74;
    }
    for (header, records) in pieces(&packets) {
        for missing in 1..=20 {
            let mut records = records.clone();
            records[4].drain(40..40 + missing);
            let (read, stats) = read(&[header.clone(), records.concat()].concat());
            let known: Vec<_> = read.iter().filter(|packet| packets.contains(packet)).collect();
            assert!(known.len() >= 10, "{} of 12 without {missing} bytes: {:?}", known.len(), stats.damage);
            assert!(stats.damage_total > 0);
        }
    }
}

#[test]
fn a_tail_of_zeros_is_one_place_of_garbage() {
    let packets = packets(6);
    for (header, records) in pieces(&packets) {
        let mut file = [header, records.concat()].concat();
        let end = file.len();
        file.resize(end + 100_000, 0);
        let (read, stats) = read(&file);
        assert!(read == packets);
        assert_eq!(stats.damage_total, 1, "{:?}", stats.damage);
        assert_eq!(stats.damage[0].offset, end as u64);
    }
}

#[test]
fn a_zero_length_record_is_an_empty_frame() {
    let mut packets = packets(3);
    packets[1].bytes.clear();
    for wire_len in [0, 60] {
        packets[1].wire_len = wire_len;
        for (header, records) in pieces(&packets) {
            assert_reads(&[header, records.concat()].concat(), &packets, &[]);
        }
    }
}

#[test]
fn a_clock_that_is_set_is_no_damage() {
    let mut packets = packets(9);
    for (packet, seconds) in packets.iter_mut().zip([5, 1_700_000_000, 1_700_000_001, 1_600_000_000, 0]) {
        packet.nanos = seconds * 1_000_000_000;
    }
    for (header, records) in pieces(&packets) {
        assert_reads(&[header, records.concat()].concat(), &packets, &[]);
    }
}

#[test]
fn a_pcapng_block_whose_lengths_differ_costs_itself() {
    let packets = packets(6);
    for order in [Little, Big] {
        let header = [section(order), nanos_interface(order)].concat();
        for damaged in 0..packets.len() {
            let mut blocks: Vec<_> =
                packets.iter().map(|packet| enhanced(order, 0, packet.nanos, packet)).collect();
            *blocks[damaged].last_mut().unwrap() ^= 0x10;
            let at = header.len() + blocks[..damaged].concat().len();
            let mut expected = packets.clone();
            expected.remove(damaged);
            assert_reads(&[header.clone(), blocks.concat()].concat(), &expected, &[(BadBlock, at)]);
        }
    }
}

#[test]
fn bytes_of_frames_that_look_like_a_pcapng_block_are_none() {
    // Of all blocks that are read or that a reader goes on with.
    for block_type in [1, 2, 3, 4, 5, 6, 7, 10, 0xbad, SECTION] {
        for frames_within in [1, 2, 7] {
            for order in [Little, Big] {
                let mut packets = packets(12);
                for packet in &mut packets {
                    packet.bytes.resize(60, 9);
                    packet.wire_len = 60;
                }
                let block_len = u32::try_from(enhanced(order, 0, 0, &packets[0]).len()).unwrap();
                // Its length stands in the frames behind it as well, where it says that it ends.
                let looks = order.words(&[block_type, frames_within * block_len + 8]);
                packets.iter_mut().for_each(|packet| packet.bytes[..8].copy_from_slice(&looks));
                if block_type == SECTION {
                    let magic = order.words(&[0x1a2b_3c4d, 1]);
                    packets.iter_mut().for_each(|packet| packet.bytes[8..16].copy_from_slice(&magic));
                }
                let header = [section(order), nanos_interface(order)].concat();
                let mut blocks: Vec<_> =
                    packets.iter().map(|packet| enhanced(order, 0, packet.nanos, packet)).collect();
                *blocks[0].last_mut().unwrap() ^= 0x10;
                let file = [header.clone(), blocks.concat()].concat();
                assert_reads(&file, &packets[1..], &[(BadBlock, header.len())]);
            }
        }
    }
}

#[test]
fn a_damaged_pcapng_block_costs_itself_whatever_stands_behind_it() {
    let packets = packets(3);
    for order in [Little, Big] {
        let header = [section(order), nanos_interface(order)].concat();
        let [first, second, third] = &packets[..] else { panic!() };
        let mut damaged = enhanced(order, 0, first.nanos, first);
        *damaged.last_mut().unwrap() ^= 0x10;
        // More options than most blocks have, and one of a type that is not assigned.
        let comment = option(order, 1, &[b'x'; 5_000]);
        let whole = enhanced(order, 0, second.nanos, second);
        let body = &whole[8..whole.len() - 4];
        let with_comment = block(order, ENHANCED_PACKET, &[body, &comment, &[0; 4]].concat());
        let unassigned = block(order, 0x1234, &[7; 20]);
        let interface = nanos_interface(order);
        let mut damaged_too = unassigned.clone();
        *damaged_too.last_mut().unwrap() ^= 0x10;
        let at = header.len();
        let of_second = enhanced(order, 1, second.nanos, second);
        let of_third = enhanced(order, 1, third.nanos, third);
        let expected = [second.clone(), third.clone()];
        let file = [&header[..], &damaged, &with_comment, &interface, &of_third].concat();
        assert_reads(&file, &expected, &[(BadBlock, at)]);
        let file = [&header[..], &damaged, &interface, &unassigned, &of_second, &of_third].concat();
        assert_reads(&file, &expected, &[(BadBlock, at)]);
        let file = [&header[..], &damaged, &interface, &damaged_too, &of_second, &of_third].concat();
        let second_at = at + damaged.len() + interface.len();
        assert_reads(&file, &expected, &[(BadBlock, at), (BadBlock, second_at)]);
    }
}

#[test]
fn bytes_of_frames_that_look_like_a_record_of_another_time_are_none_where_one_of_its_time_follows() {
    const FRAME: u32 = 60;
    for magic in [MICROS, NANOS, KUZNETZOV] {
        for (order, frames_within) in
            [Little, Big].into_iter().flat_map(|order| [1, 2, 7].map(|count| (order, count)))
        {
            let record_header = if magic == KUZNETZOV { 24 } else { 16 };
            // Seconds of 1970, and the length to the same bytes of a later frame.
            let len = frames_within * (record_header + FRAME) - record_header;
            let looks = order.words(&[54, 7, len, 1 << 20]);
            let mut packets = packets(12);
            for packet in &mut packets {
                packet.bytes.resize(FRAME as usize, 9);
                packet.bytes[20..36].copy_from_slice(&looks);
                packet.wire_len = FRAME;
            }
            let mut records: Vec<_> = packets.iter().map(|packet| record(magic, order, packet)).collect();
            records[1][..record_header as usize].fill(0xff);
            let header = pcap_header(magic, order, 65_535, 1);
            let at = (header.len() + records[0].len()) as u64;
            let (read, stats) = read(&[header, records.concat()].concat());
            packets.remove(1);
            assert_eq!(read, packets, "{frames_within}");
            assert_eq!((stats.damage_total, stats.damage[0].offset), (1, at));
        }
    }
}

#[test]
fn a_pcapng_packet_longer_than_its_block_costs_itself() {
    let packets = packets(3);
    for block_type in [ENHANCED_PACKET, PACKET] {
        let mut fields = Little.words(&[0, 0, 0, 9, 9]);
        fields.extend([0; 8]);
        let file =
            [pcapng(Little, &packets), block(Little, block_type, &fields), pcapng(Big, &packets)].concat();
        let at = pcapng(Little, &packets).len();
        assert_reads(&file, &[&packets[..], &packets].concat(), &[(BadBlock, at)]);
    }
}

#[test]
fn a_pcapng_packet_of_an_undescribed_interface_costs_itself() {
    let packets = packets(3);
    let start = [section(Big), nanos_interface(Big)].concat();
    let blocks = [
        enhanced(Big, 0, packets[0].nanos, &packets[0]),
        enhanced(Big, 1, packets[1].nanos, &packets[1]),
        enhanced(Big, 0, packets[2].nanos, &packets[2]),
    ];
    let at = start.len() + blocks[0].len();
    let file = [start, blocks.concat()].concat();
    let expected = [&packets[0], &packets[2]].map(Clone::clone);
    assert_reads(&file, &expected, &[(UnknownInterface, at)]);
}

#[test]
fn an_interface_that_cannot_be_read_keeps_its_number() {
    let packets = packets(1);
    let start = [
        section(Big),
        // Two lengths that agree on a body of no bytes.
        Big.words(&[INTERFACE, 12, 12]),
        nanos_interface(Big),
    ]
    .concat();
    let blocks = [0, 1].map(|number| enhanced(Big, number, packets[0].nanos, &packets[0]));
    let file = [&start[..], &blocks.concat()].concat();
    assert_reads(&file, &packets, &[(BadBlock, 28), (UnknownInterface, start.len())]);
}

#[test]
fn interfaces_beyond_the_limit_are_unknown() {
    let packets = packets(1);
    let mut file = section(Big);
    let interface = nanos_interface(Big);
    for _ in 0..65_536 {
        file.extend(&interface);
    }
    let at = file.len();
    file.extend(&interface);
    let second = file.len();
    for number in [65_536, 65_535] {
        file.extend(enhanced(Big, number, packets[0].nanos, &packets[0]));
    }
    assert_reads(&file, &packets, &[(UnknownInterface, at), (UnknownInterface, second)]);
}

#[test]
fn more_damage_than_is_kept_is_counted() {
    let packets = packets(200);
    let garbage = [0xff; 20];
    let mut file = pcap(&packets[..1]);
    for packet in &packets[1..] {
        file.extend(garbage);
        file.extend(record(MICROS, Little, packet));
    }
    let (read, stats) = read(&file);
    assert!(read == packets);
    assert_eq!(stats.damage.len(), SourceStats::MAX_DAMAGE);
    assert_eq!(stats.damage_total, 199);
}

#[test]
fn what_is_taken_for_a_record_behind_damage_does_not_depend_on_how_much_has_been_read() {
    const NOW: u32 = 1_700_000_100;
    // With a fraction of which no bytes before it make a header.
    let header = |seconds: u32, len: u32| Little.words(&[seconds, 999_999, len, len]);
    // Of another time, and followed by what looks like its like; but a record that goes on with the time before begins in it, and is
    // followed by another one, further on than a record and a header.
    let misleading = [
        &header(NOW - 90 * 86_400, 100)[..],
        &[0xee; 10],
        &header(NOW, 500),
        &[0xee; 74],
        &header(NOW - 90 * 86_400, 60),
        &[0xee; 410],
        &header(NOW + 1, 40),
        &[0x11; 40],
    ]
    .concat();
    let before = [pcap_header(MICROS, Little, 65_535, 1), header(NOW - 1, 20), vec![0x11; 20]].concat();
    let file = [before, vec![0xee; 300], misleading].concat();
    let expected = read(&file);
    assert_eq!(expected.0.iter().map(|packet| packet.bytes.len()).collect::<Vec<_>>(), [20, 500, 40]);
    for step in [1, 7, 64, 600] {
        let source = CaptureFile::from_reader(Trickle(io::Cursor::new(file.clone()), step)).unwrap();
        assert!(drain(source) == expected, "{step}");
    }
}
