use crate::channel::{
    channels, compare, compare_constant, expect_coarser_anywhere, rivals, sorted_and_anywhere,
};
use mazurka_objects::lossy::{apply, dependent, dependent_in, might_interact};

/// Exact, whatever is unknown, but for copies and polls from anywhere.
#[test]
fn orderly() {
    let channels = channels(false, 3, 2);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    expect_coarser_anywhere(&conditional, 0, "lossy channel, conditional");
    expect_coarser_anywhere(&interaction, 28_064, "lossy channel, interaction");
}

/// Safe also when a field has two values only, and coarser as other channels are then.
#[test]
fn orderly_of_two_values() {
    let channels = channels(false, 2, 3);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    expect_coarser_anywhere(&conditional, 0, "lossy channel of two values, conditional");
    interaction.expect_coarser(13_470, "lossy channel of two values, interaction");
}

/// Coarser as other channels are.
#[test]
fn disorderly() {
    let channels = channels(true, 2, 3);
    let (conditional, interaction) =
        compare(&channels, apply, dependent_in, might_interact, rivals);
    for entry in conditional.coarser_though_known() {
        assert!(sorted_and_anywhere(entry), "{entry}");
    }
    conditional.expect_coarser(5_634, "disorderly lossy channel, conditional");
    interaction.expect_coarser(82_070, "disorderly lossy channel, interaction");
}

/// Coarser where a field would have to be less than the least value, or greater than the greatest.
#[test]
fn constant() {
    let constant = compare_constant(apply, dependent);
    constant.expect_coarser(44, "lossy channel, constant");
}
