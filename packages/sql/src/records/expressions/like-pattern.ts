/** Characters of a text that is looked for by LIKE: it compares all of them at every place where the first one is. */
export const likeLengthMax = 64

/** The pattern of LIKE that means the text anywhere, every character of it being itself; its escape is a backslash. */
export function patternOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
