// SPDX-License-Identifier: MIT
// This header includes everything about topology: crossings, linking, braids and knots.
#pragma once

#include <capstan/topology/alexander.hpp>
#include <capstan/topology/braid.hpp>
#include <capstan/topology/braid_closure.hpp>
#include <capstan/topology/braid_reader.hpp>
#include <capstan/topology/burau.hpp>
#include <capstan/topology/crossings.hpp>
#include <capstan/topology/garside.hpp>
#include <capstan/topology/gauss_code.hpp>
#include <capstan/topology/integer_polynomial.hpp>
#include <capstan/topology/knot.hpp>
#include <capstan/topology/linking.hpp>
#include <capstan/topology/polylines.hpp>
#include <capstan/topology/straighten.hpp>
#include <capstan/topology/swaps.hpp>
#include <capstan/topology/untangle.hpp>
#include <capstan/topology/wrap.hpp>
