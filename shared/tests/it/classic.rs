//! The classic tower, held to a simulation, a search and a recursion that share no code with it (RULES section 8).

mod direct;
mod hints;
mod methods;
mod model;

use sprint_shared::classic::{NoMethod, NoPeg, NoTower, Peg, Tower, span};

fn peg(number: u32) -> Peg {
    Peg::new(number).expect("a peg of the test")
}

/// Every source and target.
fn pairs() -> impl Iterator<Item = (Peg, Peg)> {
    (1..=3).flat_map(|a| (1..=3).filter(move |b| a != *b).map(move |b| (peg(a), peg(b))))
}

fn tower(disks: u64, (source, target): (Peg, Peg)) -> Tower {
    Tower::new(disks, source, target).expect("a tower of the test")
}

/// All towers of so many disks.
fn towers(disks: std::ops::RangeInclusive<u64>) -> impl Iterator<Item = Tower> {
    disks.flat_map(|disks| pairs().map(move |pair| tower(disks, pair)))
}

#[test]
fn what_is_no_tower_is_refused_with_what_would_be_right() {
    let (one, three) = (peg(1), peg(3));
    assert_eq!(Tower::new(65, one, three), Err(NoTower::Disks(65)));
    assert_eq!(NoTower::Disks(65).to_string(), "a classic tower has 0 to 64 disks, not 65");
    assert_eq!(Tower::new(1 << 40, one, three), Err(NoTower::Disks(1 << 40)));
    assert_eq!(Tower::new(3, one, one), Err(NoTower::SamePeg(one)));
    assert_eq!(NoTower::SamePeg(one).to_string(), "peg 1 is both source and target: a tower goes to another peg");
    for number in [0, 4, 257, u32::MAX] {
        let refused = Peg::new(number).unwrap_err();
        assert_eq!(
            refused.to_string(),
            format!("the classic tower has no peg {number}: its pegs are 1, 2 and 3, or A, B and C")
        );
    }
    for text in ["0", "4", "D", "", "11", "Ａ"] {
        assert_eq!(text.parse::<Peg>(), Err(NoPeg(format!("{text:?}"))));
    }
    for (text, number) in [("1", 1), ("A", 1), ("a", 1), ("2", 2), ("B", 2), ("b", 2), ("3", 3), ("C", 3), ("c", 3)] {
        assert_eq!(text.parse::<Peg>(), Ok(peg(number)));
    }
    let refused = NoMethod("cyclical".to_owned());
    assert_eq!("cyclical".parse::<sprint_shared::classic::Method>(), Err(refused.clone()));
    assert_eq!(refused.to_string(), "no method \"cyclical\": there are recursive, smallest, cyclic and parity");
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let refused = |disks, number: u128| {
        let tower = tower(disks, (peg(1), peg(3)));
        let no_move = tower.move_at(number).expect_err("no move").to_string();
        (no_move, tower.after(number).map_err(|error| error.to_string()).err())
    };
    let after = |text: &str| Some(text.to_owned());
    assert_eq!(refused(3, 0), ("there is no move 0: the moves of this tower are 1 to 7".to_owned(), None));
    assert_eq!(
        refused(3, 8),
        (
            "there is no move 8: the moves of this tower are 1 to 7".to_owned(),
            after("the tower is never after 8 moves: it stands on its target after 7")
        )
    );
    assert_eq!(refused(1, 2).0, "there is no move 2: the only move of this tower is 1");
    assert_eq!(refused(0, 0), ("there is no move 0: a tower of no disks has none".to_owned(), None));
    assert_eq!(
        refused(64, 1 << 64),
        (
            "there is no move 18446744073709551616: the moves of this tower are 1 to 18446744073709551615".to_owned(),
            after(
                "the tower is never after 18446744073709551616 moves: it stands on its target after 18446744073709551615"
            )
        )
    );
    assert_eq!(refused(5, u128::MAX).0, format!("there is no move {}: the moves of this tower are 1 to 31", u128::MAX));
}

/// The figure of the story by floating point from its definition; years of 365.2425 days, the universe at 13.787 billion.
#[test]
fn sixty_four_golden_disks_take_585_billion_years_and_42_ages_of_the_universe() {
    let moves = tower(64, (peg(1), peg(3))).moves();
    assert_eq!(u128::from(moves), 2u128.pow(64) - 1);
    let years = 2f64.powi(64) / (365.2425 * 24.0 * 3_600.0);
    let told = format!("{:.0} billion years, {:.0} ages of the universe", years / 1e9, years / 13.787e9);
    assert_eq!(told, "585 billion years, 42 ages of the universe");
    assert_eq!(span(moves), told);
}

#[test]
fn times_are_told_in_the_unit_that_people_use() {
    for (seconds, told) in [
        (0, "0 seconds"),
        (1, "1 second"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (7_199, "120 minutes"),
        (7_200, "2 hours"),
        (172_800, "2 days"),
        (63_113_903, "730 days"),
        (63_113_904, "2 years"),
        (34_359_738_367, "1089 years"),
        (35_184_372_088_831, "1 million years"),
        (576_460_752_303_423_487, "18 billion years, 1.3 ages of the universe"),
    ] {
        assert_eq!(span(seconds), told, "{seconds}");
    }
}
