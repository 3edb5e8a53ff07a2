import { expect, test } from 'vitest'
import { dataModule } from '../../scripts/packaging/data-module.ts'
import { inlinedExports } from '../../scripts/packaging/inlined-exports.ts'
import { internalModule } from '../../scripts/packaging/internal-module.ts'
import {
  internalFiles,
  publishedSpecifier,
  specifiersOf,
} from '../../scripts/packaging/published-specifier.ts'
import type { WorkspacePackage } from '../../scripts/packaging/workspace-package.ts'

const shelf: WorkspacePackage = {
  name: '@gateleg/shelf',
  folder: 'packages/shelf',
  version: '1.0.0',
  inlined: new Set(['wood']),
  evaluated: new Set(),
  subpaths: new Set(['.', './paint', './internal']),
  exported: ['index', 'colours/paint', 'internal'],
  run: new Map(),
}
const closed: WorkspacePackage = {
  ...shelf,
  name: '@gateleg/shelf-closed',
  subpaths: new Set(['.']),
}
const packages = [shelf, closed]

test('an import of what a package exports stays, one of any other file becomes one of its entry internal', () => {
  const published = (specifier: string) => publishedSpecifier(packages, specifier)
  expect(published('@gateleg/shelf')).toBe('@gateleg/shelf')
  expect(published('@gateleg/shelf/paint')).toBe('@gateleg/shelf/paint')
  expect(published('@gateleg/shelf/boards/board')).toBe('@gateleg/shelf/internal')
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
  expect(internalModule([board], '.js')).toBe("export * from './board.js'\n")
  expect(() => internalModule([board, cloth], '.js')).toThrow(
    'board and cloth both export cut: give one of them another name',
  )
})

test('what is built into a package is exported as far as other packages import it', () => {
  const sources = [
    "import { type Grain, oak, pine as soft } from 'wood'",
    "import type { Bark } from 'wood'\nimport { oak } from 'wood'",
    "import { glass } from 'sand'",
  ]
  expect(inlinedExports(shelf, sources)).toBe("export { oak, pine } from 'wood'\n")
  expect(inlinedExports(shelf, [])).toBe('')
})

test('what the build evaluates is published as data, and what is none is refused', () => {
  expect(dataModule({ sizes: [1, { isTall: true }], wood: 'oak' })).toBe(
    'export const sizes = [1,{"isTall":true}]\nexport const wood = "oak"\n',
  )
  expect(() => dataModule({ shelves: new Map() })).toThrow("shelves can't be published as data")
  expect(() => dataModule({ cut: () => 1 })).toThrow("cut can't be published as data")
})
