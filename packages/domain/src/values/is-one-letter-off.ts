/**
 * Whether one word becomes the other by one letter: put in, left out, replaced, or two neighbours swapped.
 * Takes time in proportion to the shorter word.
 */
export function isOneLetterOff(word: string, other: string): boolean {
  if (word === other || Math.abs(word.length - other.length) > 1) return false
  let start = 0
  while (start < word.length && word[start] === other[start]) start++
  const rest = word.slice(start)
  const otherRest = other.slice(start)
  if (rest.slice(1) === otherRest || rest === otherRest.slice(1)) return true
  if (rest.slice(1) === otherRest.slice(1)) return true
  const isSwapped = rest[0] === otherRest[1] && rest[1] === otherRest[0]
  return isSwapped && rest.slice(2) === otherRest.slice(2)
}
