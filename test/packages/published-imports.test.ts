import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataModule } from '../../scripts/packaging/data-module.ts'
import { specifiersAtOnce } from '../../scripts/packaging/imported-values.ts'
import { inlinedExports } from '../../scripts/packaging/inlined-exports.ts'
import { internalDeclarations, internalSource } from '../../scripts/packaging/internal-module.ts'
import { findOpening } from '../../scripts/packaging/opening.ts'
import { readPublication } from '../../scripts/packaging/publication.ts'
import {
  entryOf,
  internalFiles,
  publishedSpecifier,
  specifiersOf,
} from '../../scripts/packaging/published-specifier.ts'
import {
  internalEntry,
  lateEntry,
  type WorkspacePackage,
} from '../../scripts/packaging/workspace-package.ts'

const shelf: WorkspacePackage = {
  name: '@gateleg/shelf',
  folder: 'packages/shelf',
  version: '1.0.0',
  inlined: new Set(['wood']),
  namespaces: new Set(['w']),
  evaluated: new Set(),
  opening: new Set(),
  subpaths: new Map([
    ['.', 'index'],
    ['./paint', 'colours/paint'],
    ['./internal', 'internal'],
    ['./internal-late', 'internal-late'],
  ]),
  run: new Map(),
}
const closed: WorkspacePackage = {
  ...shelf,
  name: '@gateleg/shelf-closed',
  subpaths: new Map([['.', 'index']]),
}
const packages = [shelf, closed]
const late = new Set(['@gateleg/shelf/tools/saw', '@gateleg/shelf-closed', '@gateleg/shelf/paint'])
const has = () => true

test('an import of what a package exports stays, one of any other file becomes one of its entries internal and internal-late', () => {
  const published = (specifier: string) => publishedSpecifier(packages, specifier, late)
  expect(published('@gateleg/shelf')).toBe('@gateleg/shelf')
  expect(published('@gateleg/shelf/paint')).toBe('@gateleg/shelf/paint')
  expect(published('@gateleg/shelf/boards/board')).toBe('@gateleg/shelf/internal')
  expect(published('@gateleg/shelf/tools/saw')).toBe('@gateleg/shelf/internal-late')
  expect(published('@gateleg/shelf-closed')).toBe('@gateleg/shelf-closed')
  expect(published('wood')).toBeUndefined()
  expect(() => published('@gateleg/shelf-closed/door')).toThrow(
    '@gateleg/shelf-closed/door is not among what @gateleg/shelf-closed exports',
  )
})

test('the entry internal exports the files that other packages import, and no others', () => {
  const specifiers = specifiersOf(`
import { board } from '@gateleg/shelf/boards/board'
import type { Paint } from '@gateleg/shelf/paint'
import '@gateleg/shelf/nails'
export const door = import('@gateleg/shelf-closed/door')
const screws: import("@gateleg/shelf/screws").Screw[]`)
  expect(internalFiles(shelf, specifiers)).toEqual(['boards/board', 'nails', 'screws'])
})

test('two files that the entry internal would export by one name are refused', () => {
  const board = { file: 'board', declaration: 'export declare function cut(): void;' }
  const cloth = { file: 'cloth', declaration: 'declare const trim: 1;\nexport { trim as cut };' }
  expect(internalDeclarations([board])).toBe("export * from './board.js'\n")
  expect(() => internalDeclarations([board, cloth])).toThrow(
    'board and cloth both export cut: give one of them another name',
  )
})

test('the entry internal exports the values that other packages import, and none that only types lead to', () => {
  const sources = [
    `import { board, type Length } from '@gateleg/shelf/boards/board'
import type { Saw } from '@gateleg/shelf/saw'
import '@gateleg/shelf/nails'
import { paint } from '@gateleg/shelf/paint'`,
    `export { board as plank } from '@gateleg/shelf/boards/board'
import {
  type Screw,
  drive,
} from '@gateleg/shelf/screws'
type Glue = typeof import('@gateleg/shelf/glue')
const { hang: hangUp } = await import('@gateleg/shelf/boards/board')
const all = await import('@gateleg/shelf/sheds')`,
  ]
  expect(internalSource(shelf, sources, has)).toBe(
    `export { board, hang } from './boards/board.ts'
export * from './nails.ts'
export { drive } from './screws.ts'
export * from './sheds.ts'
`,
  )
})

test('what is loaded to open an engine is all that its files import at once, and evaluated files bring nothing along', () => {
  const hall = {
    ...closed,
    name: '@gateleg/hall',
    folder: 'packages/hall',
    opening: new Set(['door']),
  }
  const board = { ...shelf, evaluated: new Set(['sizes']) }
  const sources = new Map([
    [
      'packages/hall/src/door.ts',
      `import { cut, type Length } from '@gateleg/shelf/tools/knife'
import './lamp.ts'
import type { Saw } from '@gateleg/shelf/tools/saw'
const { dig } = await import('./garden.ts')`,
    ],
    ['packages/hall/src/lamp.ts', "export { paint } from '@gateleg/shelf/paint'"],
    ['packages/hall/src/garden.ts', "import { rake } from '@gateleg/shelf/tools/rake'"],
    ['packages/shelf/src/tools/knife.ts', "import { sizes } from '../sizes.ts'"],
    ['packages/shelf/src/tools/rake.ts', "import { cut } from './knife.ts'"],
    ['packages/shelf/src/tools/saw.ts', ''],
    ['packages/shelf/src/colours/paint.ts', "import { oil } from 'oil'"],
    ['packages/shelf/src/sizes.ts', "import { cut } from './tools/rake.ts'"],
  ])
  const { files, lateSpecifiers } = findOpening([hall, board], sources)
  expect([...files].toSorted()).toEqual([
    'packages/hall/src/door.ts',
    'packages/hall/src/lamp.ts',
    'packages/shelf/src/colours/paint.ts',
    'packages/shelf/src/sizes.ts',
    'packages/shelf/src/tools/knife.ts',
  ])
  expect(lateSpecifiers.has('@gateleg/shelf/tools/rake')).toBe(true)
  expect(lateSpecifiers.has('@gateleg/shelf/tools/knife')).toBe(false)
  expect(lateSpecifiers.has('oil')).toBe(false)
  sources.delete('packages/hall/src/lamp.ts')
  expect(() => findOpening([hall, board], sources)).toThrow(
    "packages/hall/src/lamp.ts is loaded to open an engine, and isn't there",
  )
})

test('what is built into a package is exported as far as other packages import it', () => {
  const sources = [
    "import { type Grain, oak, pine as soft } from 'wood'",
    "import type { Bark } from 'wood'\nimport { oak } from 'wood'",
    "import { glass } from 'sand'",
  ]
  expect(inlinedExports(shelf, sources, has)).toBe(
    "export { oak } from 'wood'\nexport { pine } from 'wood'\n",
  )
  expect(inlinedExports(shelf, [], has)).toBe('')
})

test('of a namespace that is built into a package, the members are exported that are used as values', () => {
  const sources = [
    "import { w } from 'wood'\nconst saw = (tree: w.Tree) => tree instanceof w.Oak && w.cut(tree)",
    "import { w } from 'wood'\nconst plane = w.plane(w.cut(tree))",
  ]
  expect(inlinedExports(shelf, sources, has)).toBe(
    "import { w as all_of_w } from 'wood'\nexport const w = { Oak: all_of_w.Oak, cut: all_of_w.cut, plane: all_of_w.plane }\n",
  )
})

test('what the build evaluates is published as data, and what is none is refused', () => {
  expect(dataModule({ sizes: [1, { isTall: true }], wood: 'oak' })).toBe(
    'export const sizes = [1,{"isTall":true}]\nexport const wood = "oak"\n',
  )
  expect(() => dataModule({ shelves: new Map() })).toThrow("shelves can't be published as data")
  expect(() => dataModule({ cut: () => 1 })).toThrow("cut can't be published as data")
})

test('no two files of a package that other packages import export the same name', () => {
  const { packages, sources, opening } = readPublication()
  const specifiers = new Set([...sources.values()].flatMap(specifiersOf))
  for (const each of packages) {
    for (const entry of [internalEntry, lateEntry]) {
      const of = [...specifiers].filter(
        (one) => entryOf(each, one, opening.lateSpecifiers) === entry,
      )
      const files = internalFiles(each, of).map((file) => ({
        file,
        declaration: sources.get(join(each.folder, 'src', `${file}.ts`)) ?? '',
      }))
      expect(() => internalDeclarations(files)).not.toThrow()
    }
  }
})

test('what opens an engine imports nothing at once of packages that are built in', () => {
  const { packages, sources, opening } = readPublication()
  const isBuiltIn = (specifier: string) => packages.some(({ inlined }) => inlined.has(specifier))
  const importing = [...opening.files].filter((file) =>
    specifiersAtOnce(sources.get(file) ?? '').some(isBuiltIn),
  )
  expect(importing).toEqual([])
})
