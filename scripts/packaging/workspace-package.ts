import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

/** A package of the workspace, as far as building it is concerned. */
export interface WorkspacePackage {
  /** `@gateleg/domain`. */
  readonly name: string
  /** `packages/domain`. */
  readonly folder: string
  readonly version: string
  /** What may be imported of the package once it is published, with the files behind it: `.` and `index`, `./smtp` and `platform/mail/smtp-mailer`. */
  readonly subpaths: ReadonlyMap<string, string>
  /** Packages of others that are published within this one, because they start faster so: `kysely`. */
  readonly inlined: ReadonlySet<string>
  /** What inlined packages export as a namespace, and others use by its members alone: `z`. */
  readonly namespaces: ReadonlySet<string>
  /** Files that the build runs, so that what they export is published as data: below `src` and without their ending. */
  readonly evaluated: ReadonlySet<string>
  /** Files that are loaded to open an engine, with what they import: below `src` and without their ending. */
  readonly opening: ReadonlySet<string>
  /** The files that are run and not imported, commands and threads: below `src` and without their ending, by their names in `dist`. */
  readonly run: ReadonlyMap<string, string>
}

/** The entry of which no file is written by hand: what the other packages use of this one. */
export const internalEntry = 'internal'

/** The part of it that no engine needs to open. */
export const lateEntry = 'internal-late'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly inlinedDependencies?: readonly string[]
  readonly inlinedNamespaces?: readonly string[]
  readonly evaluatedFiles?: readonly string[]
  readonly openingFiles?: readonly string[]
  readonly publishConfig: {
    readonly bin?: Readonly<Record<string, string>>
    readonly exports: Readonly<Record<string, { readonly default: string }>>
  }
}

/** All packages that are published, read from their `publishConfig`. */
export function workspacePackages(): readonly WorkspacePackage[] {
  return globSync('packages/*/package.json', { cwd: root })
    .toSorted()
    .map((file) => {
      const {
        name,
        version,
        publishConfig,
        inlinedDependencies = [],
        inlinedNamespaces = [],
        evaluatedFiles = [],
        openingFiles = [],
      }: Manifest = JSON.parse(readFileSync(join(root, file), 'utf8'))
      const { bin = {}, exports } = publishConfig
      return {
        name,
        version,
        folder: dirname(file),
        inlined: new Set(inlinedDependencies),
        namespaces: new Set(inlinedNamespaces),
        evaluated: new Set(evaluatedFiles),
        opening: new Set(openingFiles),
        subpaths: new Map(
          Object.entries(exports).map(([subpath, each]) => [subpath, sourceOf(each.default)]),
        ),
        run: new Map([
          ...Object.values(bin).map((built) => [sourceOf(built), sourceOf(built)] as const),
          ...threadsOf(join(root, dirname(file))),
        ]),
      }
    })
}

function sourceOf(built: string): string {
  return built.replace(/^\.\/dist\/(.*)\.js$/, '$1')
}

/**
 * What the package starts as threads: files that are named by where they lie, as `./statement-worker` of the same ending.
 * Who names them is put together with others in files at the root of `dist`, and so are they.
 */
function threadsOf(folder: string): readonly (readonly [string, string])[] {
  return globSync('**/*.ts', { cwd: join(folder, 'src') }).flatMap((file) => {
    const source = readFileSync(join(folder, 'src', file), 'utf8')
    const found = source.matchAll(/new URL\(`\.\/([^`$]+)\$\{extname\(import\.meta\.url\)\}`/g)
    return [...found].map(([, name = '']) => [name, join(dirname(file), name)] as const)
  })
}
