import { readFileSync } from 'node:fs'

/** What a block of docs/extending.md says about one file. */
export type PageStep =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly before: string; readonly after: string }

/** The steps below a heading of the page: new files, and changes of files that are there. */
export function stepsUnder(heading: string): readonly PageStep[] {
  const page = readFileSync('docs/extending.md', 'utf8')
  const part = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  const blocks = part?.matchAll(/^```(ts|diff)\n(?:\/\/ )?(\S+)\n([\s\S]*?)^```$/gm) ?? []
  return [...blocks].map(([, kind, path = '', text = '']) => {
    if (kind === 'ts') return { path, text }
    const lines = text.split('\n').slice(0, -1)
    const without = (mark: string) =>
      lines.filter((line) => !line.startsWith(mark)).map((line) => `${line.slice(1)}\n`)
    return { path, before: without('+').join(''), after: without('-').join('') }
  })
}

/** The text of the file after the step. Fails where what is to be changed stands there twice, or not at all. */
export function applyStep(step: PageStep, current: () => string): string {
  if ('text' in step) return step.text
  const parts = current().split(step.before)
  if (parts.length !== 2) {
    throw new Error(`${step.path} has ${parts.length - 1} places like this:\n${step.before}`)
  }
  return parts.join(step.after)
}
