/** White is read well on each of them. */
const colors = ['b91c1c', 'a16207', '15803d', '0f766e', '1d4ed8', '6d28d9', 'be185d', '475569']

/**
 * The plain picture of a user who has no other: the initials of the name on a colour that follows from the
 * id, as SVG in a data URL. It holds nothing but shapes and escaped letters: whoever shows it asks nobody,
 * and runs nothing.
 */
export function initialsAvatar({
  id,
  name,
}: {
  readonly id: string
  readonly name: string
}): string {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  const color = colors[sum % colors.length]
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 40'><rect width='40' height='40' fill='#${color}'/><text x='20' y='26' font-family='sans-serif' font-size='16' fill='#fff' text-anchor='middle'>${initialsOf(name)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** The first letters of the first and the last word, or the first two of the only one. Letters and digits alone. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const [first = '?', ...others] = words
  const letters = [...first]
  const last = others.at(-1)
  const pair = last === undefined ? letters.slice(0, 2) : [letters[0] ?? '', [...last][0] ?? '']
  return pair.join('').toUpperCase()
}
