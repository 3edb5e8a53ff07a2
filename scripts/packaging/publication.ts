import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findOpening, type Opening } from './opening.ts'
import { root, type WorkspacePackage, workspacePackages } from './workspace-package.ts'

/** What is published, and what of it an engine needs to open. */
export interface Publication {
  readonly packages: readonly WorkspacePackage[]
  /** The sources of all packages by their paths from the root; tests are none of them. */
  readonly sources: ReadonlyMap<string, string>
  readonly opening: Opening
}

/** Reads the workspace as it is now. */
export function readPublication(): Publication {
  const packages = workspacePackages()
  const files = globSync(join(root, 'packages/*/src/**/*.ts'))
  const sources = new Map(
    files
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => [relative(root, file), readFileSync(file, 'utf8')]),
  )
  return { packages, sources, opening: findOpening(packages, sources) }
}
