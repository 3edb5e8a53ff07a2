import { readFileSync } from 'node:fs'
import { operations } from '@gateleg/contract/operations'
import { expect, test } from 'vitest'

test('docs/calls.md has every operation whose status is none that its method leads to expect', () => {
  const page = readFileSync('docs/calls.md', 'utf8')
  const told = [...page.matchAll(/^\| (`[A-Z]+ \/.*) \|$/gm)].flatMap(([, line = '']) => {
    const cells = line.split('|').map((cell) => cell.replaceAll('`', '').trim())
    return cells.flatMap((cell, index) => (cell === '' ? [] : [`${cell}: ${[200, 201][index]}`]))
  })
  const unusual = operations
    .filter(({ method, status }) => status !== (method === 'POST' ? 201 : 200))
    .map(({ method, path, status }) => `${method} ${path}: ${status}`)
  expect(told.toSorted()).toEqual(unusual.toSorted())
})

test('docs/calls.md says what has a version: what answers GET at a path that ends with an id, but for what no call changes', () => {
  const page = readFileSync('docs/calls.md', 'utf8')
  expect(page).toContain('So has what answers `GET` at a path that ends with the id of a thing')
  const gets = operations.filter(({ method }) => method === 'GET')
  const endsWithId = ({ path }: { readonly path: string }) => path.endsWith('}')
  const without = gets.filter((one) => endsWithId(one) && !one.isVersioned)
  expect(without.map(({ path }) => path).toSorted()).toEqual([
    ...['/attachments/read/{path}', '/export/{tableId}', '/import/{baseId}/status/{importId}'],
    ...['/oauth/decision/{transactionId}', '/user/avatar/{path}'],
  ])
  const elsewhere = gets.filter((one) => !endsWithId(one) && one.isVersioned)
  expect(elsewhere.map(({ path }) => path).toSorted()).toEqual([
    '/auth/user/me',
    '/base/{baseId}/workflow/{workflowId}/active-snapshot',
    '/table/{tableId}/plugin-context-menu/{pluginInstallId}/storage',
    '/table/{tableId}/view/{viewId}/plugin',
  ])
})
