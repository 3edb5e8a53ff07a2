import { limits } from '../limits.ts'

/** What file systems don't take for a part of a name, and characters that can't be seen, such as marks of direction. */
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu

/**
 * The name of a file to download, from the names of what was exported: `Books - Unread.csv`. Has no characters by which a file
 * system would take it for a path, and at most `limits.fileNameLength` of them before the ending.
 */
export function toExportFileName(names: readonly string[], ending: string): string {
  const text = names
    .map(fit)
    .filter((name) => name !== '')
    .join(' - ')
  const short = [...text].slice(0, limits.fileNameLength).join('').trim()
  return `${short === '' ? 'table' : short}.${ending}`
}

function fit(name: string): string {
  return name
    .replace(unfit, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .replace(/^[. ]+/, '')
}
