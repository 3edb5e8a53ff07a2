import { globSync, readFileSync } from 'node:fs'
import { operations } from '@gateleg/contract/operations'
import { queryCodecOf } from '@gateleg/contract/queries/query-codec'
import { expect, test } from 'vitest'

test('every query that a page shows with its path has parameters of that operation, lists as lists', () => {
  const wrong: string[] = []
  let count = 0
  for (const page of ['README.md', ...globSync('docs/*.md')]) {
    const shown = readFileSync(page, 'utf8').matchAll(/\b(GET|DELETE) (\/[^\s?`]+)\?([^\s`]+)/g)
    for (const [whole, method, path, query = ''] of shown) {
      count++
      const operation = operations.find((one) => one.method === method && one.path === path)
      const read =
        operation && queryCodecOf(operation.useCase.input, operation.pathMembers).read(query)
      const names = query.split('&').map((pair) => pair.replace(/=.*/, ''))
      const isRight = names.every((name) => {
        const value = read?.[name.replace('[]', '')]
        return value !== undefined && Array.isArray(value) === name.endsWith('[]')
      })
      if (!isRight) wrong.push(`${page}: ${whole}`)
    }
  }
  expect(wrong).toEqual([])
  expect(count).toBeGreaterThan(0)
})
