import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The folders and files of the domain, from the ground up: each imports only what stands before it. A
 * feature stands here twice where it has operations: what it is comes first, what callers may do with it
 * comes after all that this takes.
 */
const order = [
  // What everything may use.
  'errors',
  'limits',
  'clock',
  'secrets',
  'structures',
  'answers',
  'settings',
  'file-urls',
  'values',
  'values/json',
  'values/dates',
  'values/bytes',
  'input',
  'ids',
  'formulas',
  // What a call is, and what it may reach.
  'undo',
  'trash',
  'store',
  'billing',
  'ports',
  'access',
  'use-case',
  'jobs',
  'idempotency',
  'accounts/users',
  'accounts/attempts',
  'accounts/sessions',
  'accounts/mail',
  'accounts/passwords',
  'accounts/sign-up',
  'accounts',
  'access-tokens',
  // What a workspace is made of.
  'spaces',
  'login-providers',
  'identities',
  'plugins',
  'plugin-grants',
  'oauth-clients',
  'oauth-grants',
  'plugin-installs',
  'boards',
  'bases',
  'dashboards',
  'tree',
  'tables',
  'plugin-panels',
  'context-menus',
  'attachments',
  'fields',
  'schemas',
  'queries',
  'indexes',
  'views',
  'plugin-views',
  'records/stored',
  'records/reading',
  'records/showing',
  'records/input',
  'records/evaluation',
  'records/groups',
  'records/query',
  'records/pages',
  'records',
  'signatures',
  'shares',
  'links',
  'charts',
  'selections',
  'calculations/stages',
  'calculations/evaluation',
  'calculations/pending',
  'calculations',
  'events',
  'collaborators',
  'collaborators/invitations',
  'invitation-links',
  'pins',
  'last-visits',
  'exports',
  'workflows/nodes',
  'workflows/flow',
  'workflows',
  // What can be done with it.
  'history',
  'comments',
  'fields/operations',
  'calculations/jobs',
  'records/undo',
  'records/writing',
  'records/row-order',
  'records/copying',
  'records/deletion',
  'imports',
  'imports/jobs',
  'tables/operations',
  'plugin-panels/operations',
  'imports/operations',
  'records/operations',
  'comments/operations',
  'attachments/operations',
  'aggregations/operations',
  'charts/operations',
  'exports/operations',
  'selections/operations',
  'shares/operations',
  'views/operations',
  'workflows/operations',
  'plugin-views/operations',
  'tree/operations',
  'dashboards/operations',
  'bases/operations',
  'archives/format',
  'archives/writing',
  'archives/planning',
  'archives/receiving',
  'archives/operations',
  'spaces/operations',
  'trash/operations',
  'undo/operations',
  'billing/operations',
  'login-providers/operations',
  'plugins/operations',
  'context-menus/operations',
  'plugin-grants/operations',
  'oauth-clients/operations',
  'oauth-grants/operations',
  'access-tokens/operations',
  'accounts/operations',
  'identities/operations',
  'collaborators/operations',
  'invitation-links/operations',
  'pins/operations',
  'last-visits/operations',
  // The lists of it all.
  'calls',
  'job-kinds',
  'use-cases',
  'api',
  'use-case-names',
  'recurring-jobs',
  // What programs may import.
  'index',
] as const

/** What may import against the order, and why. */
const exceptions: readonly { readonly from: string; readonly to: RegExp; readonly why: string }[] =
  [
    {
      from: 'store.ts',
      to: /-(repository|reader|finder|scanner|writer)\.ts$|^events\/event\.ts$/,
      why: 'it lists what every feature keeps; features know the list',
    },
    {
      from: 'ports.ts',
      to: /^accounts\/(mail\/mail-settings|passwords\/password-hasher|sign-up\/sign-up-policy)\.ts$|^attachments\/(blob-store|files\/file-fetcher|thumbnails\/thumbnail-maker)\.ts$|^imports\/csv-reader\.ts$|^identities\/open-id-client\.ts$/,
      why: 'it lists what features need from outside; use cases name ports by it',
    },
  ]

/** Where folders are layers: what stands beside them puts them together, or is beneath them. */
const withLayers = [
  ...globSync('packages/*/src').filter((folder) => folder !== 'packages/domain/src'),
  'packages/domain/src/attachments',
  'packages/domain/src/bases/operations',
  'packages/domain/src/calculations',
  'packages/domain/src/collaborators',
  'packages/domain/src/fields',
  'packages/domain/src/fields/operations',
  'packages/domain/src/fields/operations/conversion',
  'packages/domain/src/formulas',
  'packages/domain/src/records',
  'packages/domain/src/records/writing',
  'packages/domain/src/tables/operations',
  'packages/domain/src/values',
  'packages/domain/src/workflows',
  'packages/engine/src/platform',
  'packages/sql/src/core',
  'packages/sql/src/metadata',
  'packages/sql/src/records',
  'packages/testing/src/contracts',
  'packages/testing/src/models/workspace',
]

interface Import {
  readonly from: string
  readonly to: string
}

/** The imports between the files of a folder, types included; paths are as seen from there. */
function importsWithin(folder: string): readonly Import[] {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  return files.flatMap((from) => {
    const source = readFileSync(join(folder, from), 'utf8')
    const found = source.matchAll(/^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm)
    return [...found].map(([, path = '']) => ({ from, to: join(dirname(from), path) }))
  })
}

/** Where a file of the domain stands in the order; -1 for one that stands nowhere. */
function placeOf(file: string): number {
  const [folder = '', inner = '', ...more] = file.replace(/\.ts$/, '').split('/')
  const names: readonly string[] = order
  const place = more.length > 0 ? names.indexOf(`${folder}/${inner}`) : -1
  return place === -1 ? names.indexOf(folder) : place
}

/** Files that lead to themselves by their imports, directly or over others. */
function filesInCircles(imports: readonly Import[]): readonly string[] {
  let left = imports
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const importers = new Set(left.map(({ from }) => from))
    const imported = new Set(left.map(({ to }) => to))
    left = left.filter(({ from, to }) => importers.has(to) && imported.has(from))
  }
  return [...new Set(left.map(({ from }) => from))].toSorted()
}

test('every folder and file of the domain stands in the order', () => {
  const files = globSync('**/*.ts', { cwd: 'packages/domain/src' })
  expect(files.filter((file) => !file.endsWith('.test.ts') && placeOf(file) === -1)).toEqual([])
})

test('every folder of the domain is described by the architecture page', () => {
  const page = readFileSync('docs/ARCHITECTURE.md', 'utf8')
  const folders = globSync('packages/domain/src/*/').map((folder) => `\`${basename(folder)}/\``)
  expect(folders.length).toBeGreaterThan(40)
  expect(folders.filter((folder) => !page.includes(folder))).toEqual([])
})

test('the domain imports in one direction', () => {
  const wrong = importsWithin('packages/domain/src').filter(({ from, to }) => {
    if (placeOf(to) < placeOf(from)) return false
    // A file may put together what the folder of its name holds.
    const isOfOneFolder = placeOf(to) === placeOf(from) && (from.includes('/') || to.includes('/'))
    return !isOfOneFolder && !exceptions.some((one) => one.from === from && one.to.test(to))
  })
  expect(wrong).toEqual([])
})

test('no exception is there for nothing', () => {
  const imports = importsWithin('packages/domain/src')
  const unused = exceptions.filter(
    (one) => !imports.some(({ from, to }) => from === one.from && one.to.test(to)),
  )
  expect(unused).toEqual([])
})

test.each(globSync('{packages/*,bench,torture}/src'))('%s has no circle of imports', (folder) => {
  expect(filesInCircles(importsWithin(folder))).toEqual([])
})

test.each(withLayers)('the folders of %s import one another in no circle', (layered) => {
  const folderOf = (file: string) => file.split('/')[0] ?? file
  const imports = importsWithin(layered)
    .filter(({ to }) => !to.startsWith('..'))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to)
  expect(imports.length).toBeGreaterThan(0)
  expect(filesInCircles(imports)).toEqual([])
})

test('circles are found', () => {
  const chain = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'd', to: 'a' },
  ]
  expect(filesInCircles(chain)).toEqual([])
  expect(filesInCircles([...chain, { from: 'c', to: 'a' }])).toEqual(['a', 'b', 'c'])
})
