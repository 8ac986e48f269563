//! The corpus of `bench engine`: texts whose words follow Zipf's law, relationships whose degrees
//! have a heavy tail. Words are numbers until they are shown, so that queries can be drawn by rank.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::random::Random;

/// Words in all, about what a person reads in a year of notes.
const VOCABULARY: usize = 30_000;
/// Zipf's exponent for words of natural language.
const ZIPF_EXPONENT: f64 = 1.0;
/// Observations and relationships per entity.
const PER_ENTITY: usize = 3;
/// How many of the least used words count as rare.
const RARE_WORDS: usize = 300;
/// Share of targets drawn by their degree; the rest is drawn evenly.
const PREFERENTIAL: f64 = 0.8;

const ENTITY_TYPES: [&str; 8] =
    ["concept", "person", "service", "decision", "tool", "project", "place", "event"];
const RELATIONSHIP_TYPES: [&str; 6] = ["uses", "depends_on", "related_to", "works_at", "part_of", "mentions"];

/// A text by the ranks of its words.
type Text = Vec<u32>;

pub struct NewEntity {
    pub name: String,
    pub entity_type: &'static str,
    description: Text,
    observations: Vec<Text>,
}

pub struct Edge {
    pub source: usize,
    pub target: usize,
    pub relationship_type: &'static str,
}

pub struct Corpus {
    pub entities: Vec<NewEntity>,
    pub edges: Vec<Edge>,
    words: Vocabulary,
    /// Ranks of the rarest words that stand in the texts.
    rare: Vec<u32>,
}

impl Corpus {
    pub fn new(size: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let words = Vocabulary::new(&mut random);
        let mut entities = Vec::with_capacity(size);
        let mut names = HashSet::new();
        for number in 0..size {
            let entity = entity(&words, number, &mut random);
            // Names are told apart by number where their words are the same.
            let name = if names.contains(&entity.name) {
                format!("{} {number}", entity.name)
            } else {
                entity.name.clone()
            };
            names.insert(name.clone());
            entities.push(NewEntity { name, ..entity });
        }
        let mut uses = vec![0; VOCABULARY];
        for text in entities.iter().flat_map(|e| e.observations.iter().chain([&e.description])) {
            text.iter().for_each(|rank| uses[*rank as usize] += 1);
        }
        let rare = rarest(&uses);
        let edges = edges(size, &mut random);
        Self { entities, edges, words, rare }
    }

    pub fn observations(&self) -> usize {
        self.entities.iter().map(|entity| entity.observations.len()).sum()
    }

    pub fn describe(&self, seed: u64) -> Value {
        let (degree, share) = (self.highest_degree(), self.share_of_commonest());
        json!({
            "entities": self.entities.len(), "observations": self.observations(), "relationships": self.edges.len(),
            "seed": seed, "vocabulary": VOCABULARY, "zipf_exponent": ZIPF_EXPONENT,
            "highest_degree": degree, "texts_with_commonest_word": share,
        })
    }

    fn highest_degree(&self) -> usize {
        let mut degrees = vec![0; self.entities.len()];
        self.edges.iter().flat_map(|edge| [edge.source, edge.target]).for_each(|end| degrees[end] += 1);
        degrees.into_iter().max().unwrap_or_default()
    }

    fn share_of_commonest(&self) -> f64 {
        let texts = self.entities.iter().flat_map(|e| e.observations.iter());
        let (mut with, mut all) = (0, 0);
        for text in texts {
            with += usize::from(text.contains(&0));
            all += 1;
        }
        (100.0 * with as f64 / all.max(1) as f64).round() / 100.0
    }

    /// An entity as `add_entities` takes it.
    pub fn entity_json(&self, entity: &NewEntity) -> Value {
        let observations: Vec<String> =
            entity.observations.iter().map(|text| self.words.text(text)).collect();
        json!({
            "name": entity.name, "entity_type": entity.entity_type,
            "description": self.words.text(&entity.description), "observations": observations,
        })
    }

    /// An edge as `add_relationships` takes it.
    pub fn edge_json(&self, edge: &Edge) -> Value {
        json!({
            "source": self.entities[edge.source].name, "target": self.entities[edge.target].name,
            "relationship_type": edge.relationship_type,
        })
    }

    pub fn any_name(&self, random: &mut Random) -> &str {
        &random.pick(&self.entities).name
    }

    /// A sentence as an observation is one.
    pub fn sentence(&self, least: usize, most: usize, random: &mut Random) -> String {
        self.words.text(&self.words.sentence(least, most, random))
    }

    /// A word that stands in few texts.
    pub fn rare_word(&self, random: &mut Random) -> String {
        self.words.words[*random.pick(&self.rare) as usize].clone()
    }

    pub fn medium_word(&self, random: &mut Random) -> &str {
        &self.words.words[random.between(200, 2_000)]
    }

    /// One of the ten words that stand in most texts.
    pub fn common_word(&self, random: &mut Random) -> &str {
        &self.words.words[random.below(10)]
    }

    /// Three words as they follow each other in some observation, in quotes.
    pub fn phrase(&self, random: &mut Random) -> String {
        let entity = random.pick(&self.entities);
        let text = random.pick(&entity.observations);
        let at = random.below(text.len() - 2);
        format!("\"{}\"", self.words.text(&text[at..at + 3]))
    }

    /// The first four letters of a medium word, with the star.
    pub fn prefix(&self, random: &mut Random) -> String {
        let word = self.medium_word(random);
        format!("{}*", word.chars().take(4).collect::<String>())
    }
}

fn rarest(uses: &[u32]) -> Vec<u32> {
    let mut ranks: Vec<u32> = (0..uses.len() as u32).filter(|rank| uses[*rank as usize] > 0).collect();
    ranks.sort_by_key(|rank| uses[*rank as usize]);
    ranks.truncate(RARE_WORDS);
    ranks
}

fn entity(words: &Vocabulary, number: usize, random: &mut Random) -> NewEntity {
    let name = (0..random.between(2, 3)).map(|_| capitalised(&words.words[random.between(50, 8_000)]));
    let name = name.collect::<Vec<_>>().join(" ");
    // One to five, by the entity's number: exactly three on average.
    let observations = number % 5 + 1;
    NewEntity {
        name,
        entity_type: ENTITY_TYPES[skewed(ENTITY_TYPES.len(), random)],
        description: words.sentence(8, 16, random),
        observations: (0..observations).map(|_| words.sentence(8, 24, random)).collect(),
    }
}

/// Preferential attachment: an edge leads to where others lead already.
fn edges(size: usize, random: &mut Random) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(size * PER_ENTITY);
    let mut ends: Vec<usize> = Vec::with_capacity(size * PER_ENTITY * 2);
    let mut known = HashSet::new();
    while edges.len() < size * PER_ENTITY {
        let source = edges.len() / PER_ENTITY;
        let target = if !ends.is_empty() && random.unit() < PREFERENTIAL {
            *random.pick(&ends)
        } else {
            random.below(size)
        };
        let kind = skewed(RELATIONSHIP_TYPES.len(), random);
        if source != target && known.insert((source, target, kind)) {
            edges.push(Edge { source, target, relationship_type: RELATIONSHIP_TYPES[kind] });
            ends.extend([source, target]);
        }
    }
    edges
}

/// A number below `end`, small ones more often.
fn skewed(end: usize, random: &mut Random) -> usize {
    (random.unit() * random.unit() * end as f64) as usize
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

/// Words by rank, the commonest first.
struct Vocabulary {
    words: Vec<String>,
    /// Sum of the weights up to each word.
    cumulated: Vec<f64>,
}

impl Vocabulary {
    fn new(random: &mut Random) -> Self {
        let mut known = HashSet::with_capacity(VOCABULARY);
        let mut words = Vec::with_capacity(VOCABULARY);
        let mut cumulated = Vec::with_capacity(VOCABULARY);
        let mut sum = 0.0;
        while words.len() < VOCABULARY {
            // Common words are short.
            let syllables = 1 + words.len().max(1).ilog10() as usize / 2;
            let word = word(random.between(syllables, syllables + 1), random);
            if known.insert(word.clone()) {
                words.push(word);
                sum += (words.len() as f64).powf(-ZIPF_EXPONENT);
                cumulated.push(sum);
            }
        }
        Self { words, cumulated }
    }

    fn rank(&self, random: &mut Random) -> u32 {
        let sum = self.cumulated[VOCABULARY - 1];
        let at = random.unit() * sum;
        self.cumulated.partition_point(|upto| *upto <= at) as u32
    }

    fn sentence(&self, least: usize, most: usize, random: &mut Random) -> Text {
        (0..random.between(least, most)).map(|_| self.rank(random)).collect()
    }

    fn text(&self, ranks: &[u32]) -> String {
        ranks.iter().map(|rank| self.words[*rank as usize].as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A word one can say: consonants and vowels by turns.
fn word(syllables: usize, random: &mut Random) -> String {
    const ONSETS: [&str; 20] = [
        "b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z", "st", "tr", "pl",
        "gr",
    ];
    const VOWELS: [&str; 7] = ["a", "e", "i", "o", "u", "ea", "ou"];
    const CODAS: [&str; 8] = ["", "", "", "n", "r", "s", "l", "t"];
    let mut word = String::new();
    for _ in 0..syllables {
        word.extend([*random.pick(&ONSETS), *random.pick(&VOWELS), *random.pick(&CODAS)]);
    }
    word
}
