import { errorCodes } from '@gateleg/domain/errors'
import { useCases } from '@gateleg/domain/use-cases'
import { expect } from 'vitest'
import { z } from 'zod'
import { findOperations } from './find-operation.ts'
import type { TestAnswer, TestRequest } from './send-request.ts'
import type { TestOperation } from './test-http.ts'

/** What every error is answered in, and nothing else but what OAuth calls it, where apps are answered. */
const envelope = z.strictObject({
  message: z.string().min(1),
  status: z.int(),
  code: z.enum(Object.keys(errorCodes) as [string, ...string[]]),
  data: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
})

/** What no answer may show: how the service is made. */
const internals = /SQLITE|constraint failed|node_modules|\n\s+at |\.ts:\d/

/** Holds an answer against what is promised of every answer. */
export function checkAnswer(
  request: TestRequest,
  answer: TestAnswer,
  operations: readonly TestOperation[],
): void {
  checkHeaders(request, answer)
  checkDescribed(request, answer, operations)
  if (answer.status >= 400) checkError(request, answer)
  else if (request.path.startsWith('/api/')) checkSuccess(request, answer, operations)
}

function checkHeaders({ path }: TestRequest, { headers }: TestAnswer): void {
  expect(headers['x-request-id']).toMatch(/^req[0-9A-Za-z]{16}$/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-frame-options']).toBe('DENY')
  const names = Object.keys(headers)
  const telling = names.filter((name) => /^(access-control-.*|x-powered-by|server)$/.test(name))
  expect(telling).toEqual([])
  if (/^\/api\/(attachments\/read|user\/avatar)\//.test(path)) {
    expect(headers['cache-control']).toMatch(/^(no-store|private, max-age=\d+)$/)
  } else if (path.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store')
}

function checkError({ method }: TestRequest, { status, headers, text, json }: TestAnswer): void {
  if (method === 'HEAD') {
    expect(text).toBe('')
    return
  }
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  const error = envelope.parse(json())
  expect(error.status).toBe(status)
  expect(text).not.toMatch(internals)
  if (error.code === 'validation_error') expect(error.data?.issues).not.toEqual([])
  if (status === 401)
    expect(headers['www-authenticate']).toBe(error.error ? 'Basic realm="Gateleg"' : 'Bearer')
  if (status === 405) expect(headers.allow).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
  if (status === 429 || status === 503) expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
}

function checkSuccess(
  request: TestRequest,
  { status, headers, text, json }: TestAnswer,
  operations: readonly TestOperation[],
): void {
  const operation = operationOf(request, operations)
  if (!operation) {
    throw new Error(`${request.method} ${request.path} is no operation, and got ${status}`)
  }
  if (operation.answersFile) {
    expect([200, 206, 304]).toContain(status)
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(headers['content-disposition']).toMatch(/^(attachment|inline); filename="/)
    return
  }
  expect([operation.name, headers.etag !== undefined]).toEqual([
    operation.name,
    operation.isVersioned === true,
  ])
  if (headers.etag !== undefined) expect(headers.etag).toMatch(/^"v[1-9]\d*\.[\w-]{11}"$/)
  if (status !== 304) expect(status).toBe(operation.status)
  if (status === 304 || request.method === 'HEAD') {
    expect(text).toBe('')
    return
  }
  if (operation.answersText !== undefined) {
    expect(headers['content-type']).toBe(`${operation.answersText}; charset=utf-8`)
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="[^"\\]+"; filename\*=UTF-8''[\w.%~-]+$/,
    )
    return
  }
  const output = outputOf(operation)
  if (output instanceof z.ZodVoid) {
    expect(text).toBe('')
    expect(headers['content-type']).toBeUndefined()
    return
  }
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  // What the schema doesn't know it drops, so that a member too many makes a difference.
  expect(output.parse(json())).toEqual(json())
}

function operationOf(request: TestRequest, operations: readonly TestOperation[]) {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return findOperations(operations, request.path).find(
    (one) => one.method === method || one.alsoBy === method,
  )
}

/** Whoever reads the description of an operation knows every status that it may be answered with. */
function checkDescribed(
  request: TestRequest,
  { status }: TestAnswer,
  operations: readonly TestOperation[],
): void {
  const operation = operationOf(request, operations)
  if (operation) {
    expect([operation.name, ...operation.describedStatuses]).toContain(status)
  }
}

function outputOf({ name }: TestOperation): z.ZodType {
  const [feature = '', useCase = ''] = name.split('.')
  const byFeature: Readonly<Record<string, Readonly<Record<string, { output: z.ZodType }>>>> =
    useCases
  const found = byFeature[feature]?.[useCase]
  if (!found) throw new Error(`There is no use case ${name}`)
  return found.output
}
