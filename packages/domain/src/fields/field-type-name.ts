/** All field types of the interface, in its order. */
export const fieldTypeNames = [
  'singleLineText',
  'longText',
  'user',
  'attachment',
  'checkbox',
  'multipleSelect',
  'singleSelect',
  'date',
  'number',
  'rating',
  'formula',
  'rollup',
  'link',
  'createdTime',
  'lastModifiedTime',
  'createdBy',
  'lastModifiedBy',
  'autoNumber',
  'button',
] as const

/** The name of a field type. */
export type FieldTypeName = (typeof fieldTypeNames)[number]
