import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RouteTrie } from './route-trie.ts'

function trieOf(...routes: readonly string[]): RouteTrie<string> {
  const trie = new RouteTrie<string>()
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    trie.add(method, path, route)
  }
  return trie
}

const trie = trieOf(
  'GET /space',
  'POST /space',
  'GET /space/{spaceId}',
  'GET /base/{baseId}/node/list',
  'GET /base/{baseId}/node/{nodeId}',
  'DELETE /base/{baseId}/node/{nodeId}',
  'GET /base/access/all',
)

test('[HTTP-1] finds a literal segment before a parameter, and goes back where it leads nowhere', () => {
  const found = (value: string, params: readonly string[]) => ({ kind: 'found', value, params })
  expect(trie.match('GET', '/base/b/node/list')).toEqual(
    found('GET /base/{baseId}/node/list', ['b']),
  )
  expect(trie.match('GET', '/base/b/node/lists')).toEqual(
    found('GET /base/{baseId}/node/{nodeId}', ['b', 'lists']),
  )
  expect(trie.match('DELETE', '/base/b/node/list')).toEqual(
    found('DELETE /base/{baseId}/node/{nodeId}', ['b', 'list']),
  )
  expect(trie.match('GET', '/base/access/all')).toEqual(found('GET /base/access/all', []))
  expect(trie.match('GET', '/base/access/node/list')).toEqual(
    found('GET /base/{baseId}/node/list', ['access']),
  )
})

test('[HTTP-1] allows one slash at the end and nothing else that differs', () => {
  expect(trie.match('GET', '/space/')).toMatchObject({ kind: 'found' })
  const others = [
    '/space//',
    '//space',
    '/Space',
    '/spac',
    '/spaces',
    '/sp%61ce',
    '/',
    '',
    '/space ',
  ]
  for (const path of others) expect([path, trie.match('GET', path).kind]).toEqual([path, 'absent'])
})

test('[HTTP-1] decodes parameters, a slash in one too', () => {
  const path = '/space/%F0%9F%98%80%2Fa%20b'
  expect(trie.match('GET', path)).toMatchObject({ kind: 'found', params: ['😀/a b'] })
})

test('[HTTP-2] names the methods of a path that has others', () => {
  const allow = (path: string) => trie.match('PATCH', path)
  expect(allow('/space')).toEqual({ kind: 'other-method', allow: ['GET', 'POST'] })
  expect(allow('/base/b/node/list')).toEqual({ kind: 'other-method', allow: ['DELETE', 'GET'] })
})

test('[HTTP-3] tells a path that is not percent-encoded UTF-8', () => {
  for (const path of ['/space/%', '/space/%zz', '/space/%c3%28', '/nothing/%ff']) {
    expect(trie.match('GET', path)).toEqual({ kind: 'malformed' })
  }
})

test('[HTTP-1] refuses two routes for one method and path', () => {
  expect(() => trieOf('GET /a/{x}', 'GET /a/{y}')).toThrow('two routes')
})

const segment = fc.constantFrom('a', 'b', '{x}')
const patterns = fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { maxLength: 12 })
const paths = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 5 })

test('[HTTP-1] always finds a route exactly when one fits segment by segment', () => {
  const fits = (pattern: readonly string[], path: readonly string[]) =>
    pattern.length === path.length &&
    pattern.every((part, index) => (part === '{x}' ? path[index] !== '' : part === path[index]))
  fc.assert(
    fc.property(patterns, paths, (chosen, path) => {
      const unique = [...new Set(chosen.map((parts) => `/${parts.join('/')}`))]
      const some = trieOf(...unique.map((pattern) => `GET ${pattern}`))
      const whole = path.length > 1 && path.at(-1) === '' ? path.slice(0, -1) : path
      const fitting = unique.filter((pattern) => fits(pattern.split('/').slice(1), whole))
      const match = some.match('GET', `/${path.join('/')}`)
      const value = match.kind === 'found' ? match.value.slice('GET '.length) : undefined
      if (fitting.length === 0) expect(match.kind).toBe('absent')
      else expect(fitting).toContain(value)
    }),
  )
})
