#!/usr/bin/env node
import '../dist/cli/admin/main.js';
