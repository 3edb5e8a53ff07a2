import { del, type FeatureRoutes, get, post, put } from '../operation.ts'

export const pinRoutes: FeatureRoutes<'pins'> = {
  listPins: {
    ...get('/pin/list'),
    purpose:
      'Lists what the caller has pinned, in their order: spaces, bases, what bases have, and views. What they can not read any more is left out.',
    example: {},
  },
  addPin: {
    ...post('/pin'),
    purpose: 'Pins something, behind what is pinned already.',
    example: { type: 'table', id: '{tableId}' },
  },
  removePin: {
    ...del('/pin'),
    purpose: 'Unpins something.',
    example: { type: 'base', id: '{baseId}' },
  },
  movePin: {
    ...put('/pin/order'),
    purpose: 'Puts a pin before or after another one.',
    example: {
      ...{ type: 'view', id: '{viewId}' },
      ...{ anchorType: 'base', anchorId: '{baseId}', position: 'before' },
    },
  },
}

export const lastVisitRoutes: FeatureRoutes<'lastVisits'> = {
  getLastVisit: {
    ...get('/user/last-visit'),
    purpose:
      'Returns what the caller opened last of a type in a space, a base or a table, as programs have noted it, with what was open in it. Without such a note the answer has no members.',
    example: { resourceType: 'table', parentResourceId: '{baseId}' },
  },
  noteLastVisit: {
    ...post('/user/last-visit'),
    purpose: 'Notes what the caller opened, so that a program can go on there later.',
    example: {
      ...{ resourceType: 'table', resourceId: '{tableId}' },
      ...{ parentResourceId: '{baseId}', childResourceId: '{viewId}' },
    },
  },
  getLastVisitedNode: {
    ...get('/user/last-visit/base-node'),
    purpose:
      'Returns what the caller opened last of the tree of a base, of whatever type. Without such a note the answer has no members.',
    example: { parentResourceId: '{baseId}' },
  },
}
