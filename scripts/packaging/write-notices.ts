import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes to `dist` the licences of all packages of others that the files are from; no file when there is none. */
export function writeNotices(dist: string, files: readonly string[]): void {
  const folders = new Set(
    files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  )
  if (folders.size === 0) return
  const notices = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const [file] = globSync('LICEN{S,C}E*', { cwd: folder })
    if (file === undefined) throw new Error(`${name} says nothing of its licence`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  const head = 'These packages of others are part of the files beside this one.\n'
  writeFileSync(join(dist, 'third-party.txt'), [head, ...notices].join('\n---\n\n'))
}
