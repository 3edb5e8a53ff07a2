import { relative } from 'node:path'
import { filesOf, loadedWith } from './opening.ts'
import type { Publication } from './publication.ts'
import { root, type WorkspacePackage } from './workspace-package.ts'

/** A file of `dist`, and the sources that it is put together of. */
export interface OpeningChunk {
  readonly name: string
  readonly has: (moduleId: string) => boolean
}

/**
 * The files in which that of a package is published which opens an engine: a few of them are loaded faster than one for each
 * set of entries that share something. A source is in the first that has it.
 *
 * Most packages are opened whole. Those that name opening files load these later than their `index`, or in threads.
 */
export function openingChunksOf(
  ofPackage: WorkspacePackage,
  { packages, sources, opening }: Publication,
): readonly OpeningChunk[] {
  const chunk = (name: string, files: Pick<ReadonlySet<string>, 'has'>): OpeningChunk => ({
    name,
    has: (id) => files.has(relative(root, id)),
  })
  if (ofPackage.opening.size === 0) return [chunk('opening', opening.files)]
  // All else that it has is loaded on demand, and its index is one file by itself.
  if (ofPackage.opening.has('index')) return []
  const loaded = (names: readonly string[]) =>
    loadedWith(filesOf(ofPackage, names), packages, sources).files
  const threads = new Set(ofPackage.run.values())
  const later = loaded([...ofPackage.opening].filter((name) => !threads.has(name)))
  return [
    chunk('opening', loaded(['index'])),
    chunk('opening-threads', loaded([...threads]).intersection(later)),
    chunk('opening-later', later),
  ]
}
