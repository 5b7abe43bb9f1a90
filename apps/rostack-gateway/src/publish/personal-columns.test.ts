import { expect, test } from 'vitest';
import { personalReason } from './personal-columns.ts';

test.each([
  'email',
  'e_mail',
  'customerEmail',
  'PHONE_NUMBER',
  'first_name',
  'FirstName',
  'user_name',
  'password_hash',
  'date_of_birth_dob',
  'ipAddress',
  'entered_by',
  'comments',
  'iban2',
])('%s looks personal', (column) => {
  expect(personalReason(column)).toBeDefined();
});

test.each([
  'id',
  'name',
  'station',
  'customer_id',
  'user_count',
  'owner_key',
  'author_uuid',
  'title',
  'sku',
  'city',
  'temperature',
  'created_at',
  'mailbox_size',
  'pinned',
])('%s does not', (column) => {
  expect(personalReason(column)).toBeUndefined();
});
