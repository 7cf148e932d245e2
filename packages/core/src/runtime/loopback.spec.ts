import { isLoopback } from './loopback.js';

it.each(['localhost', '127.0.0.1', '127.255.0.3', '[::1]', '::1'])('is told of %s', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  '',
  'example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '128.0.0.1',
  '0.0.0.0',
  '::',
  '[::2]',
])('is not told of "%s"', (host) => {
  expect(isLoopback(host)).toBe(false);
});
