//! Text for people: tables.

/// Lays out rows under a header line; columns are as wide as their widest cell, two spaces apart.
pub fn table<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    let mut widths = header.map(|cell| cell.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; N]| {
        let padded: Vec<String> =
            cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let head = line(header);
    rows.iter().map(|row| line(row.each_ref().map(String::as_str))).fold(head, |text, line| text + &line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_lines_have_no_trailing_blanks() {
        let rows = [["create".to_owned(), "žluť".to_owned()], ["x".to_owned(), String::new()]];
        assert_eq!(table(["VERB", "NAME"], &rows), "VERB    NAME\ncreate  žluť\nx\n");
    }
}
