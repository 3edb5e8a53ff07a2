import { limits } from '../limits.ts'

/** What file systems take as something else than a part of a name, control characters and marks of direction. */
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu

/** The name of a file with the content, of the names of what is in it: nothing in it leads to another folder. */
export function toFileName(names: readonly string[], ending: string): string {
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
