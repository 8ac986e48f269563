//! Colours and shapes, as the explorer has them (`ui/src/graph/theme.ts`, `typeLooks.ts`).

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

/// The colours of one theme.
pub(crate) struct Colours {
    pub canvas: &'static str,
    pub plate: &'static str,
    pub border: &'static str,
    pub strong: &'static str,
    pub resting: &'static str,
    pub edge: &'static str,
    pub neutral: &'static str,
    slots: [&'static str; 8],
}

const LIGHT: Colours = Colours {
    canvas: "#F7F8FA",
    plate: "#FFFFFF",
    border: "#D9DCE2",
    strong: "#1B1F27",
    resting: "#5B6272",
    edge: "#8A909C",
    neutral: "#7A808C",
    slots: ["#4961FE", "#BE130D", "#337E4F", "#E84185", "#A38C23", "#249AB4", "#620E9B", "#742B42"],
};

const DARK: Colours = Colours {
    canvas: "#14171D",
    plate: "#20242C",
    border: "#363B45",
    strong: "#E6E9EF",
    resting: "#AEB5C2",
    edge: "#5F6775",
    neutral: "#8A92A0",
    slots: ["#97AFFF", "#E98A04", "#0C986E", "#C35096", "#E2D77A", "#52E5DB", "#7960FE", "#E62E43"],
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Circle,
    Square,
    Diamond,
    Triangle,
    Hexagon,
    Plus,
}

const BEYOND: [Shape; 5] = [Shape::Square, Shape::Diamond, Shape::Triangle, Shape::Hexagon, Shape::Plus];

impl Theme {
    pub(crate) fn colours(self) -> &'static Colours {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

impl Colours {
    /// Of the type of this number: eight have a colour, the others a shape.
    pub(crate) fn of_type(&self, index: usize) -> (&'static str, Shape) {
        match self.slots.get(index) {
            Some(colour) => (colour, Shape::Circle),
            None => (self.neutral, BEYOND[(index - self.slots.len()) % BEYOND.len()]),
        }
    }
}

impl Shape {
    /// The outline in a box of 24 by 24 round (12, 12), for dots of radius 9.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Circle => "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z",
            Self::Square => "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
            Self::Diamond => "M12 1.5 22.5 12 12 22.5 1.5 12z",
            Self::Triangle => "M12 2.5 22 20H2z",
            Self::Hexagon => "M7 3.3h10L22 12l-5 8.7H7L2 12z",
            Self::Plus => "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z",
        }
    }
}
