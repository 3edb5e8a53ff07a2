/**
 * Where the letters are that came to Unicode after its version 10, which is that of the oldest ICU of a PostgreSQL that is
 * still in use: an ICU of that age doesn't know which of them are upper and lower case of one another. They are those of Georgian,
 * Cyrillic, Glagolitic and Latin. Four scripts that very few people write (Vithkuqi, Garay, Medefaidrin, Beria Erfe) are left to ICU:
 * their letters would make each statement that searches many fields twice as long to plan.
 */
const places: readonly (readonly [first: number, last: number])[] = [
  [0x1c89, 0x1cbf],
  [0x2c2f, 0x2c2f],
  [0xa7b8, 0xa7f5],
]

const capitals = places
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => letter.toLowerCase() !== letter)

/** The capitals among them that Node.js knows, the small letter of each, and what matches a text that may have one. */
export const newLetters = {
  from: capitals.join(''),
  to: capitals.join('').toLowerCase(),
  pattern: `[${places.map((ends) => ends.map((code) => String.fromCodePoint(code)).join('-')).join('')}]`,
} as const
