import { useCases } from '@gateleg/domain/use-cases'
import { expect, test } from 'vitest'
import { JsonSchemas } from './openapi/json-schemas.ts'
import { operations } from './operations.ts'

test('[CONTRACT-1] gives every use case a route of its own', () => {
  const names = Object.entries(useCases).flatMap(([feature, byName]) =>
    Object.keys(byName).map((name) => `${feature}.${name}`),
  )
  expect(operations.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '*')}`)
  expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
})

test('[CONTRACT-1] writes paths as segments of letters, dashes, underscores and parameters', () => {
  const wrong = operations.filter(({ path }) => !/^(\/([a-zA-Z_-]+|\{\w+\}))+$/.test(path))
  expect(wrong.map(({ path }) => path)).toEqual([])
})

test('[CONTRACT-2] finds every parameter of a path in the input', () => {
  const missing = operations.flatMap(({ name, useCase, pathMembers }) => {
    const schemas = new JsonSchemas()
    const members = schemas.membersOf(schemas.of(useCase.input, 'input', 'Input'))
    return pathMembers.filter((member) => !(member in members)).map((m) => `${name}: ${m}`)
  })
  expect(missing).toEqual([])
})

test('[CONTRACT-1] opens a session only where the answer has its token', () => {
  for (const { cookie, useCase } of operations) {
    if (cookie !== 'opens') continue
    const schemas = new JsonSchemas()
    const answer = schemas.membersOf(schemas.of(useCase.output, 'output', 'Output'))
    expect(answer).toHaveProperty('accessToken')
  }
})
