#pragma once
// What a stage shows of a program, and whether all that evaluate it agree.
#include <doctest/doctest.h>

#include <string>

namespace trellis::testing {

std::string shown(const std::string& stage, const std::string& program);
bool has(const std::string& text, const std::string& part);
/// Checks that reference, interpreter and jit leave the same results, and native where it is one of the first or every
/// third that a process checks.
void check_agrees(const std::string& program);
/// The same with the reference that knows what is stored (`check`), where the formats decide: 0 * inf in a gap is 0.
void check_agrees_with_formats(const std::string& program);

}  // namespace trellis::testing
