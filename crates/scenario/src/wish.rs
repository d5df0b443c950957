//! What a variable has to become for a condition to be true, and which writes can make it so.

use mazurka_model::{BinaryOperator, Kind};

/// What a variable has to become. That a counter may pass its largest or smallest value after some steps, and begin anew, is left out of
/// account.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Wish {
    /// Something else than it is; what, is not known.
    Another,
    /// More than this.
    Above(i32),
    /// Less than this.
    Below(i32),
    /// This.
    Is(i32),
    /// Anything but this.
    IsNot(i32),
}

impl Wish {
    /// What a variable of this kind has to become so that its comparison with a number is as wanted.
    pub(crate) fn of(kind: Kind, operator: BinaryOperator, number: i32, truth: bool) -> Wish {
        use BinaryOperator::*;
        let above = |number: Option<i32>| number.map_or(Wish::Another, Wish::Above);
        let below = |number: Option<i32>| number.map_or(Wish::Another, Wish::Below);
        let has_sign = matches!(kind, Kind::Short | Kind::Int | Kind::Unsigned(32));
        match (operator, truth) {
            (Greater, true) | (LessEqual, false) => Wish::Above(number),
            (GreaterEqual, true) | (Less, false) => above(number.checked_sub(1)),
            (Less, true) | (GreaterEqual, false) => Wish::Below(number),
            (LessEqual, true) | (Greater, false) => below(number.checked_add(1)),
            (Equal, true) | (NotEqual, false) if number == 0 && !has_sign => Wish::Below(1),
            (Equal, true) | (NotEqual, false) => Wish::Is(number),
            (NotEqual, true) | (Equal, false) if number == 0 && !has_sign => Wish::Above(0),
            (NotEqual, true) | (Equal, false) => Wish::IsNot(number),
            _ => Wish::Another,
        }
    }

    /// Does this value fulfil it?
    pub(crate) fn is_met(self, value: i32) -> bool {
        match self {
            Wish::Another => true,
            Wish::Above(least) => value > least,
            Wish::Below(most) => value < most,
            Wish::Is(number) => value == number,
            Wish::IsNot(number) => value != number,
        }
    }

    /// Can adding this fulfil it, if it is not fulfilled?
    pub(crate) fn is_met_by_adding(self, amount: i32) -> bool {
        match self {
            Wish::Above(_) => amount > 0,
            Wish::Below(_) => amount < 0,
            Wish::Another | Wish::Is(_) | Wish::IsNot(_) => amount != 0,
        }
    }

    /// Is the other fulfilled whenever this one is?
    pub(crate) fn implies(self, other: Wish) -> bool {
        match (self, other) {
            (_, Wish::Another) | (Wish::Another, _) => false,
            (Wish::Is(number), other) => other.is_met(number),
            (Wish::Above(least), Wish::Above(other) | Wish::IsNot(other)) => least >= other,
            (Wish::Below(most), Wish::Below(other) | Wish::IsNot(other)) => most <= other,
            (Wish::IsNot(number), Wish::IsNot(other)) => number == other,
            _ => false,
        }
    }
}

/// The operator with its sides changed: `3 < x` is `x > 3`.
pub(crate) fn turned(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::*;
    match operator {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By all small numbers.
    #[test]
    fn wishes_are_what_they_say() {
        use BinaryOperator::*;
        let compare = |operator: BinaryOperator, left: i32, right: i32| match operator {
            Equal => left == right,
            NotEqual => left != right,
            Less => left < right,
            LessEqual => left <= right,
            Greater => left > right,
            _ => left >= right,
        };
        let operators = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];
        let mut wishes = Vec::new();
        for (kind, values) in [(Kind::Int, -4..5), (Kind::Byte, 0..5)] {
            for operator in operators {
                for (number, truth) in (-2..3).flat_map(|it| [(it, true), (it, false)]) {
                    let wish = Wish::of(kind, operator, number, truth);
                    for value in values.clone() {
                        let is_so = compare(operator, value, number) == truth;
                        assert_eq!(wish.is_met(value), is_so, "{wish:?} {value}");
                        assert_eq!(
                            compare(turned(operator), number, value),
                            compare(operator, value, number)
                        );
                        for amount in -3..4 {
                            let then = value + amount;
                            let helps = !is_so && values.contains(&then) && wish.is_met(then);
                            assert!(!helps || wish.is_met_by_adding(amount), "{wish:?}");
                        }
                    }
                    wishes.push(wish);
                }
            }
        }
        for (one, other) in wishes
            .iter()
            .flat_map(|one| wishes.iter().map(move |other| (one, other)))
        {
            let fits = |value: &i32| !one.is_met(*value) || other.is_met(*value);
            assert!(!one.implies(*other) || (-9..9).all(|value| fits(&value)));
        }
    }
}
