import { readFileSync } from 'node:fs'

/** A program of a page. */
export interface PageProgram {
  readonly page: string
  /** Which one of its page it is, from 1. */
  readonly number: number
  readonly code: string
  /** What the page says right after the program that it prints, line by line; undefined when it says nothing of it. */
  readonly prints: string | undefined
}

/** All blocks of TypeScript of the pages: each is a whole program. */
export function programs(pages: readonly string[]): readonly PageProgram[] {
  return pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    const found = text.matchAll(
      /^```ts\n([\s\S]*?)^```\n(?:\nIt prints (`[^`]+`(?: and `[^`]+`)*))?/gm,
    )
    return [...found].map(([, code = '', said], index) => {
      const lines = said?.matchAll(/`([^`]+)`/g)
      const prints = lines && [...lines].map(([, line]) => line).join('\n')
      return { page, number: index + 1, code, prints }
    })
  })
}
