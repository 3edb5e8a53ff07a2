/** What a letter after a backslash stands for within quotes. */
const escapedLetters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
}

/**
 * The text between two quotes. A backslash before any other character than those above stays, so that
 * patterns can be written as in other places: "\d+".
 */
export function unescapeText(source: string): string {
  if (!source.includes('\\')) return source
  return source.replace(/\\([\s\S])/g, (whole, letter: string) => escapedLetters[letter] ?? whole)
}

/** The text as it is written in a formula, in double quotes. */
export function quoteText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `"${escaped}"`
}

/** The name between two braces; a brace or backslash that belongs to it stands behind a backslash. */
export function unescapeReference(source: string): string {
  return source.includes('\\') ? source.replace(/\\([\s\S])/g, '$1') : source
}

/** The name of a field as it is written in a formula. */
export function quoteReference(name: string): string {
  return `{${name.replace(/[{}\\]/g, '\\$&')}}`
}
