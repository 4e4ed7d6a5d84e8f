//! Plots as SVG: throughput by workers, and cost by case.

use std::fs;
use std::path::{Path, PathBuf};

use benchkit::{Measured, Report};
use huginn_net_core::capacity::Load;
use plotters::prelude::*;

use crate::Outcome;

/// Draws what there is to draw of a report, and tells where.
pub(crate) fn draw(report: &Report, folder: &Path) -> Outcome<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let mut drawn = Vec::new();
    let is_parallel = |section| report.section(section).any(|case| case.workers.is_some());
    let (parallel, single): (Vec<_>, Vec<_>) =
        report.cases.iter().partition(|case| is_parallel(&case.section));
    if !single.is_empty() {
        let path = folder.join(format!("{}-cost.svg", report.protocol));
        costs(&path, &single)?;
        drawn.push(path);
    }
    if !parallel.is_empty() {
        let path = folder.join(format!("{}-workers.svg", report.protocol));
        throughput(&path, &parallel)?;
        drawn.push(path);
    }
    Ok(drawn)
}

/// Time for a packet, one bar per case.
fn costs(path: &Path, cases: &[&Measured]) -> Outcome<()> {
    let rows = i32::try_from(cases.len())?;
    let height = 60 + 22 * u32::try_from(rows)?;
    let root = SVGBackend::new(path, (900, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let costs: Vec<_> = cases.iter().map(|case| Load::from(*case).nanoseconds_per_packet()).collect();
    let longest = costs.iter().copied().fold(1.0, f64::max);
    let names: Vec<_> = cases.iter().map(|case| format!("{}: {}", case.section, case.name)).collect();
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(360)
        .build_cartesian_2d(0.0..longest * 1.15, (0..rows).into_segmented())?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(cases.len())
        .y_label_formatter(&|row| label(row, &names))
        .x_desc("nanoseconds a packet")
        .draw()?;
    chart.draw_series((0..rows).zip(&costs).map(|(row, &cost)| {
        let row = rows - 1 - row;
        let (bottom, top) = (SegmentValue::Exact(row), SegmentValue::Exact(row + 1));
        let mut bar = Rectangle::new([(0.0, bottom), (cost, top)], BLUE.mix(0.6).filled());
        bar.set_margin(4, 4, 0, 0);
        bar
    }))?;
    chart.draw_series((0..rows).zip(&costs).map(|(row, &cost)| {
        let at = (cost + longest * 0.01, SegmentValue::CenterOf(rows - 1 - row));
        Text::new(format!("{cost:.1}"), at, ("sans-serif", 12).into_font())
    }))?;
    root.present()?;
    Ok(())
}

/// The first case stands at the top.
fn label(row: &SegmentValue<i32>, names: &[String]) -> String {
    let (SegmentValue::CenterOf(row) | SegmentValue::Exact(row)) = row else { return String::new() };
    let from_top = usize::try_from(*row).ok().and_then(|row| names.len().checked_sub(row + 1));
    from_top.and_then(|row| names.get(row)).cloned().unwrap_or_default()
}

/// Packets per second by number of workers or shards, one line per section; without any the one thread stands at 0.
fn throughput(path: &Path, cases: &[&Measured]) -> Outcome<()> {
    let point = |case: &Measured| {
        (f64::from(case.workers.unwrap_or_default()), Load::from(case).packets_per_second() / 1e6)
    };
    let most_workers = cases.iter().map(|case| point(case).0).fold(1.0, f64::max);
    let highest = cases.iter().map(|case| point(case).1).fold(0.0, f64::max);
    let root = SVGBackend::new(path, (700, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(10)
        .x_label_area_size(35)
        .y_label_area_size(55)
        .build_cartesian_2d(0.0..most_workers + 0.5, 0.0..highest * 1.15)?;
    chart.configure_mesh().x_desc("workers").y_desc("million packets a second").draw()?;
    let mut sections: Vec<&str> = cases.iter().map(|case| case.section.as_str()).collect();
    sections.dedup();
    for (index, section) in sections.into_iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let points: Vec<_> =
            cases.iter().filter(|case| case.section == section).map(|case| point(case)).collect();
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?
            .label(section)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
        chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, color.filled())))?;
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
