import type { Scenario } from '../scenario.ts'

const fields = '/api/table/{tableId}/field'

/** The operations on fields, refusals first. */
export const fieldScenarios: readonly Scenario[] = [
  {
    title: '[HTTP-11] refuses to create a field for nobody',
    method: 'POST',
    path: fields,
    body: { type: 'number' },
    status: 401,
    code: 'unauthorized',
  },
  {
    title: '[ACCESS-1] refuses to create a field for an editor',
    as: 'editor',
    method: 'POST',
    path: fields,
    body: { type: 'number' },
    status: 403,
    code: 'restricted_resource',
  },
  {
    title: '[HTTP-20] refuses a type that there is not',
    as: 'owner',
    method: 'POST',
    path: fields,
    body: { type: 'colour' },
    status: 400,
    code: 'validation_error',
    contains: ['type'],
  },
  {
    title: '[HTTP-15] answers 201 for a field that was created',
    as: 'owner',
    method: 'POST',
    path: fields,
    body: { type: 'number', name: 'Price' },
    status: 201,
    contains: ['"name":"Price"', '"cellValueType":"number"', '"dbFieldType":"REAL"'],
    events: ['field.created'],
  },
  {
    title: '[HTTP-15] answers nothing for a field that was renamed',
    as: 'owner',
    method: 'PATCH',
    path: `${fields}/{fieldId}`,
    body: { name: 'Renamed' },
    status: 200,
    events: ['field.updated'],
  },
]
