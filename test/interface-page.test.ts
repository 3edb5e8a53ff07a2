import { readFileSync } from 'node:fs'
import { isAlsoByGet } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { expect, test } from 'vitest'
import { interfacePage, interfacePagePath } from '../scripts/interface/interface-page.ts'
import { builtRoutes } from '../scripts/interface/known-routes.ts'
import {
  type OtherRoutes,
  otherAnswers,
  otherInputs,
  otherRoutes,
} from '../scripts/interface/other-routes.ts'

/** A route by itself: names in braces don't matter. */
function toShape(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`
}

function shapesOf({ routes }: OtherRoutes): string[] {
  return routes.flatMap((route) => {
    const [path = '', ...methods] = route.split(' ').toReversed()
    return methods.map((method) => toShape(method, path))
  })
}

const own = new Set(
  operations.flatMap((operation) => {
    const { method, alsoBy = method, path } = operation
    const methods = [method, alsoBy, ...(isAlsoByGet(operation) ? ['GET'] : [])]
    return methods.map((one) => toShape(one, path))
  }),
)

test('docs/interface.md is what the operations make it', () => {
  // `npx --yes pnpm@12 docs:interface` writes it.
  expect(readFileSync(interfacePagePath, 'utf8')).toBe(interfacePage())
})

test('docs/interface.md calls routes missing that are, and the others are operations', () => {
  const built = Object.entries(builtRoutes).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => toShape(method, path)),
  )
  expect(built.filter((route) => !own.has(route))).toEqual([])
  const others = otherRoutes.flatMap(shapesOf)
  expect(others.filter((route) => own.has(route))).toEqual([])
  expect(new Set([...built, ...others]).size).toBe(built.length + others.length)
})

test('docs/interface.md names of operations alone what other input they take, and what else they answer', () => {
  const named = [...otherInputs, ...otherAnswers].flatMap(shapesOf)
  expect(named.filter((route) => !own.has(route))).toEqual([])
})
